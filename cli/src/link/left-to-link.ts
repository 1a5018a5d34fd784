import type { Command } from '../frame/command.ts';
import type { Flag } from '../frame/flag.ts';
import type { Link } from './link.ts';

export type LinkedKey = keyof Pick<Link, 'applicationId' | 'environmentId'>;

/** Whether `--env` says something to it. */
export function takesEnvironment({ flags, own }: Command): boolean {
  return own?.takesEnvironment === true || flags.some((flag) => isTarget(flag) && flag.key === 'environmentId');
}

/** What names the application or the environment a command is about. */
export function isTarget({ key, kind, isRequired }: Flag): boolean {
  return isRequired && kind === 'text' && (key === 'environmentId' || key === 'applicationId');
}

interface Given {
  /** The arguments that no flag named, in their order. */
  unnamed: readonly Flag[];
  words: readonly string[];
}

/** Which arguments the words leave to the link. Nothing is ever deleted because of where somebody stands. */
export function leftToLink(command: Command, { unnamed, words }: Given): Flag[] {
  const targets = unnamed.filter(isTarget);
  if (targets.length === 0 || command.words.at(-1) === 'delete') return [];
  const needed = unnamed.filter(({ isRequired }) => isRequired).length + (command.own?.more ? 1 : 0);
  if (words.length < needed) return targets.slice(0, needed - words.length);
  const [first, next] = unnamed;
  const [word = ''] = words;
  const isOther = (next && isMeantFor(next, word)) || isOneOfMore(command, word);
  return isTarget(first!) && isOther ? [first!] : [];
}

/** `99y` is no range, but is meant for one. */
function isMeantFor({ choices }: Flag, word: string): boolean {
  return choices.includes(word) || (/^\d+[a-z]$/i.test(word) && choices.some((choice) => /^\d+[a-z]$/.test(choice)));
}

/** `set A=1 B=2` and `unset A B` name no application. */
function isOneOfMore({ own }: Command, word: string): boolean {
  if (!own?.more || /^(?:app|env)_/.test(word)) return false;
  return own.more.includes('=') ? word.includes('=') : true;
}
