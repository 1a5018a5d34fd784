import { chmodSync, copyFileSync, statSync, truncateSync } from 'node:fs';

const MAX_LOG_BYTES = 10_000_000;

/**
 * Moves what a log has to `<log>.1`, where it is too much. A server that runs has the file open and appends to
 * it, so the file is emptied and not replaced; what is written at the same moment is lost.
 */
export function keepLogSmall(path: string, maxBytes = MAX_LOG_BYTES): void {
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) <= maxBytes) return;
  copyFileSync(path, `${path}.1`);
  chmodSync(`${path}.1`, 0o600);
  truncateSync(path);
}
