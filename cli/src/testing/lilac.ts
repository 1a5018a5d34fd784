import { runCli } from '../run-cli.ts';

interface Circumstances {
  /** The folder it is called in. */
  cwd?: string;
  /** Whether a person sits at both ends. */
  isTerminal?: boolean;
  width?: number;
  /** What comes in on standard input. */
  piped?: string;
  /** What a person types, question by question. */
  typed?: readonly string[];
  /** Called with all that was printed so far, whenever something is. */
  watch?: (out: string) => void;
  signal?: AbortSignal;
}

/** Runs one command, from a line or from its words, and tells everything that could be seen of it. */
export async function lilac(
  command: string | readonly string[],
  environment: Record<string, string> = {},
  { cwd = '/', isTerminal = false, width = 100, piped = '', typed = [], watch, signal }: Circumstances = {},
) {
  const seen = { out: '', err: '' };
  const left = [...typed];
  const answerTo = (question: string) => {
    seen.err += question;
    const answer = left.shift();
    return answer === undefined ? Promise.reject(new Error(`Nobody expected "${question}".`)) : Promise.resolve(answer);
  };
  const argv = typeof command === 'string' ? command.split(' ').filter(Boolean) : command;
  const exitCode = await runCli(argv, {
    cwd,
    environment,
    width,
    isTerminal,
    input: { isTerminal, readAll: () => Promise.resolve(piped), ask: answerTo, askSecret: answerTo },
    print: (words) => {
      seen.out += words;
      watch?.(seen.out);
    },
    complain: (words) => (seen.err += words),
    ...(signal && { signal }),
  });
  return { exitCode, ...seen };
}
