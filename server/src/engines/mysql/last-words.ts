import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

const TAIL_BYTES = 8192;
const MOST_LINES = 4;

/** Why a server ended, in its own words; empty where it said nothing. */
export function readLastWords(logFile: string): string {
  try {
    const file = openSync(logFile, 'r');
    try {
      const { size } = fstatSync(file);
      const tail = Buffer.alloc(Math.min(size, TAIL_BYTES));
      readSync(file, tail, 0, tail.length, size - tail.length);
      return lastWordsIn(tail.toString('utf8'));
    } finally {
      closeSync(file);
    }
  } catch {
    return '';
  }
}

const BEGINNING = /Starting MariaDB .* source revision/;
const TELLING = /\[ERROR\] (.*)$/;

/** Of its last run the errors, the first of which are the cause; else what it said at the end. */
export function lastWordsIn(log: string): string {
  const lines = log.split('\n').filter(Boolean);
  const run = lines.slice(lines.findLastIndex((line) => BEGINNING.test(line)) + 1);
  const errors = run.flatMap((line) => TELLING.exec(line)?.[1] ?? []);
  return (errors.length > 0 ? errors.slice(0, MOST_LINES) : run.slice(-2)).join(' ');
}

export const isOutOfSpace = (words: string): boolean =>
  /No space left on device|disk full|out of disk space|(?:errno|error):? 28\b/i.test(words);
