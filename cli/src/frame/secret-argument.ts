import { GaveUp } from './gave-up.ts';
import type { Input } from './input.ts';
import { UsageError } from './usage-error.ts';

/** What is written to standard input; a line's end belongs to the shell, not to the value. */
export async function readSecret(input: Input): Promise<string> {
  const secret = (await input.readAll()).replace(/\r?\n$/, '');
  if (secret === '') throw new UsageError('Nothing came in on standard input.');
  return secret;
}

export async function askForSecret(input: Input, question: string): Promise<string> {
  const secret = await input.askSecret(`${question}: `);
  if (secret === '') throw new GaveUp('Nothing was typed, and nothing was changed.');
  return secret;
}

/** Twice, since nobody sees what they type. */
export async function askForNewSecret(input: Input, question: string): Promise<string> {
  const secret = await askForSecret(input, question);
  if ((await input.askSecret('Once more: ')) === secret) return secret;
  throw new GaveUp('These were not the same, and nothing was changed. Try again.');
}
