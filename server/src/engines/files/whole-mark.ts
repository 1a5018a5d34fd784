import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Written last, into the folder of the data itself: without it the files were left half-made. */
const MARK = 'lilac.json';

export interface WholeMark {
  /** The series that the files belong to. */
  version: string;
}

/** Gives the path of the file. */
export function writeMark(home: string, mark: WholeMark): string {
  const path = join(home, MARK);
  writeFileSync(path, JSON.stringify(mark), { mode: 0o600 });
  return path;
}

export function readMark(home: string): WholeMark | null {
  try {
    return JSON.parse(readFileSync(join(home, MARK), 'utf8')) as WholeMark;
  } catch {
    return null;
  }
}

export const isMark = (name: string): boolean => name === MARK;
