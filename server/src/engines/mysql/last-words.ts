import { lastWords } from '../host/last-words.ts';

const MOST_LINES = 4;

/** Why a server ended, in its own words. */
export const readLastWords = (logFile: string): string => lastWordsIn(lastWords(logFile));

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
