import { text } from 'node:stream/consumers';
import { styleText } from 'node:util';

export type Paint = 'green' | 'yellow' | 'red' | 'bold' | 'dim';

/** Where a command reads and writes, so that tests can look over its shoulder. */
export interface Terminal {
  /** A result, on standard output. */
  print(line: string): void;
  /** Everything else, on standard error. */
  complain(line: string): void;
  /** Everything that comes in, to its end. */
  readInput(): Promise<string>;
  /** Colours only where somebody watches and did not ask for none (NO_COLOR). */
  paint(paint: Paint, text: string): string;
  /** How many characters fit into a line; where nobody watches, as many as there are. */
  width: number;
}

export function openProcessTerminal(): Terminal {
  process.stdout.on('error', ignoreClosedReader);
  return {
    print: (line) => process.stdout.write(`${line}\n`),
    complain: (line) => process.stderr.write(`${line}\n`),
    readInput: () => text(process.stdin),
    paint: (paint, words) => styleText(paint, words, { stream: process.stdout }),
    width: process.stdout.columns ?? Infinity,
  };
}

/** `lilac doctor | head` has read what it wanted. */
function ignoreClosedReader(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
}
