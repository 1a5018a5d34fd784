export const RETENTION_DAYS = 7;
const RETENTION_MS = RETENTION_DAYS * 24 * 60 * 60 * 1000;

/** Older lines are shown to nobody. What they take on the disk is freed by whole days. */
export function oldestKept(now: Date): Date {
  return new Date(now.getTime() - RETENTION_MS);
}
