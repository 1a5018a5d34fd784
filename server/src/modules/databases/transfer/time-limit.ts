import { LoadFailed } from '../../../engines/transfer.ts';

const HOUR_MS = 60 * 60_000;
const LONGEST_MS = 12 * HOUR_MS;

/**
 * An import that never ends would have one of the places for ever. What it says when the time is over is final: another
 * attempt would take as long.
 */
export async function withinTime<T>(
  signal: AbortSignal,
  work: (limited: AbortSignal) => Promise<T>,
  longestMs = LONGEST_MS,
): Promise<T> {
  const over = new AbortController();
  const words =
    `it took longer than ${longestMs / HOUR_MS} hours. Find the statement that waits or runs for that long ` +
    '(pg_stat_activity, SHOW PROCESSLIST), or import the file in parts.';
  const timer = setTimeout(() => over.abort(new LoadFailed(words)), longestMs);
  try {
    return await work(AbortSignal.any([signal, over.signal]));
  } finally {
    clearTimeout(timer);
  }
}
