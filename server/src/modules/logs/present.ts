import type { LogEntry, NumberedEntry } from '../../logs/log-entry.ts';

/** `2026-11-15T12:00:00.000Z ERROR Something went wrong` */
export function presentLine({ atMs, severity, message }: LogEntry): string {
  return `${new Date(atMs).toISOString()} ${severity} ${message}`;
}

/**
 * Several write to one log, and what they write is stored some moments later: a crash may be told before the lines
 * that led to it. Lines of the same time stay as they were stored.
 */
export function inOrderOfTime(entries: readonly NumberedEntry[]): NumberedEntry[] {
  return entries.toSorted((one, other) => one.atMs - other.atMs || one.line - other.line);
}
