import type { LogEntry } from '../../logs/log-entry.ts';

/** `2026-11-15T12:00:00.000Z ERROR Something went wrong` */
export function presentLine({ atMs, severity, message }: LogEntry): string {
  return `${new Date(atMs).toISOString()} ${severity} ${message}`;
}
