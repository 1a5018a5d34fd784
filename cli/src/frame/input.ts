import { createInterface, type Interface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { GaveUp } from './gave-up.ts';

/** What comes in beside the arguments. */
export interface Input {
  /** Whether a person sits there, who can be asked. */
  isTerminal: boolean;
  /** Everything, to its end. */
  readAll(): Promise<string>;
  ask(question: string): Promise<string>;
  /** What is typed is not shown. */
  askSecret(question: string): Promise<string>;
}

export function openProcessInput(): Input {
  const { stdin, stderr } = process;
  return {
    isTerminal: stdin.isTTY && stderr.isTTY,
    readAll: () => text(stdin),
    ask: (question) => readLine(stderr, (lines) => lines.question(question)),
    askSecret: (question) =>
      readLine(nowhere(), async (lines) => {
        // Only now: the terminal no longer shows what is typed.
        stderr.write(question);
        const answer = await lines.question('');
        stderr.write('\n');
        return answer;
      }),
  };
}

/** Questions go to standard error: what a command answers may be piped elsewhere. */
async function readLine(output: NodeJS.WritableStream, ask: (lines: Interface) => Promise<string>): Promise<string> {
  const lines = createInterface({ input: process.stdin, output, terminal: true, historySize: 0 });
  // Without a listener of its own, Ctrl-C would leave the question open and the program waiting.
  lines.once('SIGINT', () => {
    process.stderr.write('\n');
    process.exit(130);
  });
  try {
    return await ask(lines);
  } catch (error) {
    // Ctrl-D.
    if ((error as Error).name !== 'AbortError') throw error;
    process.stderr.write('\n');
    throw new GaveUp('Nothing was changed.');
  } finally {
    lines.close();
  }
}

function nowhere(): Writable {
  return new Writable({ write: (_chunk, _encoding, done) => done() });
}
