import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

const TAIL_BYTES = 8192;

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

const TELLING = /(?:FATAL|PANIC|ERROR|LOG|HINT):\s+(.*)$/;
const SEVERE = /(?:FATAL|PANIC):/;

/** What killed it, and what it said just before: of a port that is taken only that line speaks. */
export function lastWordsIn(log: string): string {
  const lines = log.split('\n').filter(Boolean);
  const last = lines.findLastIndex((line) => SEVERE.test(line));
  const told = last === -1 ? lines.slice(-2) : lines.slice(Math.max(0, last - 3), last + 1);
  return told.map((line) => TELLING.exec(line)?.[1] ?? line).join(' ');
}

export const isOutOfSpace = (words: string): boolean => words.includes('No space left on device');
