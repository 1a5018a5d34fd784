import { LoadFailed, SessionLost } from '../../../engines/transfer.ts';

/** Of each import and restore under way: at which line it lost its session last, and how often in a row. */
const losses = new Map<string, { line: number; times: number }>();

/** A server may be stopped for a reason of its own, but not always at the same statement. */
const MOST_LOSSES = 3;

/**
 * The failure, or what it comes to when the same statement has lost the session again and again: the file is at fault.
 */
export function failureOf(id: string, failure: unknown): unknown {
  if (!(failure instanceof SessionLost)) return failure;
  const { line } = failure;
  const before = losses.get(id);
  const times = before?.line === line ? before.times + 1 : 1;
  losses.set(id, { line, times });
  if (times < MOST_LOSSES) return failure;
  return new LoadFailed(
    `Line ${line}: the server ended the session whenever it came to this statement. Take it out of the file; or, ` +
      'if it needs much memory, choose a larger tier.',
    { cause: failure },
  );
}

export function forgetLosses(id: string): void {
  losses.delete(id);
}
