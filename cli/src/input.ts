import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';

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
    ask: (question) => askOn(stderr, question),
    async askSecret(question) {
      stderr.write(question);
      const answer = await askOn(nowhere(), '');
      stderr.write('\n');
      return answer;
    },
  };
}

/** Questions go to standard error: what a command answers may be piped elsewhere. */
async function askOn(output: NodeJS.WritableStream, question: string): Promise<string> {
  const lines = createInterface({ input: process.stdin, output, terminal: true });
  // Without a listener of its own, Ctrl-C would leave the question open and the program waiting.
  lines.once('SIGINT', () => {
    process.stderr.write('\n');
    process.exit(130);
  });
  try {
    return await lines.question(question);
  } finally {
    lines.close();
  }
}

function nowhere(): Writable {
  return new Writable({ write: (_chunk, _encoding, done) => done() });
}
