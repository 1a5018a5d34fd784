import { readFileSync, rmSync, writeFileSync } from 'node:fs';

/**
 * Why the platform that runs serves no https though it was to, for whoever operates it. Null: it does, or is not to.
 */
export function writeHttpsLack(path: string, reason: string | null): void {
  if (reason === null) rmSync(path, { force: true });
  else writeFileSync(path, `${reason}\n`, { mode: 0o600 });
}

/** Only to be believed while the platform runs. */
export function readHttpsLack(path: string): string | null {
  try {
    return readFileSync(path, 'utf8').trim() || null;
  } catch {
    return null;
  }
}
