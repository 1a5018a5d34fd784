import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { lock } from '../lib/file-lock.ts';

const PATIENCE_MS = 120_000;

/** The files of an empty server: made once, then copied. Whoever wants them while they are made waits. */
export async function keptTemplate(path: string, make: (path: string) => Promise<void>): Promise<string> {
  if (existsSync(path)) return path;
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const release = await lock(`${path}.lock`, PATIENCE_MS);
  try {
    if (!existsSync(path)) await make(path);
    return path;
  } finally {
    release();
  }
}
