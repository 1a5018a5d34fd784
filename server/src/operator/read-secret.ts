import { readFileSync } from 'node:fs';
import type { OperatorContext } from './operator-context.ts';
import { OperatorError } from './operator-error.ts';

/** Secrets come as files or on standard input (`-`): what is typed as an argument, other users of the machine see. */
export async function readSecret(
  { terminal }: Pick<OperatorContext, 'terminal'>,
  { option, path }: { option: string; path: string },
): Promise<string> {
  const text = path === '-' ? await terminal.readInput() : readFile(option, path);
  if (text.trim() === '') {
    throw new OperatorError(
      `${option} is empty${path === '-' ? ' (nothing came on standard input)' : ` (${path})`}.`,
      'Give a file that holds the secret, or - and the secret on standard input.',
    );
  }
  return text.trim();
}

function readFile(option: string, path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? 'unknown';
    throw new OperatorError(
      // Whoever put the secret itself here must not find it in a log.
      `The file of ${option} cannot be read (${reason}).`,
      'Give the path of a file that holds the secret, or - and the secret on standard input.',
      { cause: error },
    );
  }
}
