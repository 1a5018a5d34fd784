import type { Severity } from '@lilac/contract/states';

/** One line of an environment's log, before it has its number. */
export interface LogEntry {
  atMs: number;
  severity: Severity;
  /** One line of text, already made safe (`make-safe`): no newline, no control characters but colours. */
  message: string;
  /** Who wrote it; null: the platform itself. */
  instanceId: string | null;
  deploymentId: string | null;
}

/** Lines of an environment are numbered from 1 without a gap, in the order in which they were stored. */
export interface NumberedEntry extends LogEntry {
  line: number;
}
