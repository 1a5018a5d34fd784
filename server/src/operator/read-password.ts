import type { Terminal } from './terminal.ts';

/** From standard input, without the end of the line that was typed or piped with it. */
export async function readPassword(terminal: Pick<Terminal, 'readInput'>): Promise<string> {
  return (await terminal.readInput()).replace(/\r?\n$/, '');
}
