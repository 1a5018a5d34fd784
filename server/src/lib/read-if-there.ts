import { readFileSync } from 'node:fs';

/** The text of a file; null where there is none, or none that can be read. */
export function readIfThere(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}
