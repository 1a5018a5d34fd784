import { GaveUp } from '../frame/gave-up.ts';
import type { Input } from '../frame/input.ts';
import { UsageError } from '../frame/usage-error.ts';

/** Where questions go to, and answers come from. */
export interface Asked {
  input: Input;
  complain: (text: string) => void;
}

export interface Choice<T> {
  label: string;
  value: T;
}

const TRIES = 3;

/** Whether somebody can be asked at all. Where not, every question is a usage error: ask this first. */
export const canAsk = ({ input }: Pick<Asked, 'input'>): boolean => input.isTerminal;

/** Nothing but Enter is the answer that `preset` names. */
export async function confirm(asked: Asked, question: string, preset = false): Promise<boolean> {
  assertAsked(asked, question);
  for (let tries = 0; tries < TRIES; tries++) {
    const answer = (await asked.input.ask(`${question} ${preset ? '[Y/n]' : '[y/N]'} `)).trim();
    if (answer === '') return preset;
    if (/^y(es)?$/i.test(answer)) return true;
    if (/^no?$/i.test(answer)) return false;
    asked.complain('Please answer y or n.\n');
  }
  throw new GaveUp('Nothing was changed.');
}

/** By number; the first one is what Enter means. */
export async function pick<T>(asked: Asked, question: string, choices: readonly Choice<T>[]): Promise<T> {
  assertAsked(asked, question);
  const width = String(choices.length).length;
  asked.complain(`${question}\n`);
  for (const [index, { label }] of choices.entries()) {
    asked.complain(`  ${String(index + 1).padStart(width)}  ${label}\n`);
  }
  for (let tries = 0; tries < TRIES; tries++) {
    const answer = (await asked.input.ask(`Number [1]: `)).trim();
    const chosen = choices[answer === '' ? 0 : Number(answer) - 1];
    if (chosen) return chosen.value;
    asked.complain(`Please type a number from 1 to ${choices.length}.\n`);
  }
  throw new GaveUp('Nothing was changed.');
}

/** Nothing but Enter is the preset, where there is one. */
export async function askText(asked: Asked, question: string, preset = ''): Promise<string> {
  assertAsked(asked, question);
  for (let tries = 0; tries < TRIES; tries++) {
    const answer = (await asked.input.ask(`${question}${preset ? ` [${preset}]` : ''}: `)).trim() || preset;
    if (answer !== '') return answer;
  }
  throw new GaveUp('Nothing was changed.');
}

function assertAsked({ input }: Asked, question: string): void {
  if (!input.isTerminal) throw new UsageError(`Nobody can be asked here: "${question}".`);
}
