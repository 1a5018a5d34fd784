/** How long lines are kept, to the millisecond for whoever asks; the disk space is freed by whole days. */
export const RETENTION_MS = 7 * 24 * 60 * 60 * 1000;

export function oldestKept(now: Date): Date {
  return new Date(now.getTime() - RETENTION_MS);
}
