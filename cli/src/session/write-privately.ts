import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { replaceFile } from '../files/replace-file.ts';

/** Whole or not at all, and for the eyes of its owner only; with the folder it is in. */
export function writePrivately(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  replaceFile(file, text, 0o600);
}
