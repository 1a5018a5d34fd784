import { renameSync, writeFileSync } from 'node:fs';

export interface WriteOptions {
  /** Of a file that others may not read, say; left out, what the process gives to every file. */
  mode?: number;
  /** After a power cut too it is the one before or the new one, and never a part of it. */
  isSynced?: boolean;
}

/** Whoever reads it meanwhile sees what it held before, or all that it holds now. One writes at a time. */
export function writeWhole(path: string, text: string, { mode = 0o666, isSynced = false }: WriteOptions = {}): void {
  const draft = `${path}.new`;
  writeFileSync(draft, text, { mode, flush: isSynced });
  renameSync(draft, path);
}
