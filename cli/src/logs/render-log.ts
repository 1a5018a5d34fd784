import type { Severity } from '@lilac/contract/states';
import { logLine } from '../terminal/printable.ts';
import { isTime } from '../terminal/render-cell.ts';

/** A line of an environment's log, from the search or as it came. */
export interface LogLine {
  t: string;
  severity: string;
  message: string;
  instance?: string | null;
}

/** `2026-11-15T12:00:00.000Z ERROR Something went wrong`, as the search answers. */
export function parseLine(line: string): LogLine {
  const [, t = '', severity = '', message = ''] = /^(\S*) (\S*) ([^]*)$/.exec(line) ?? [];
  return { t, severity, message };
}

const RESET = '\u001b[0m';
const DIM = '\u001b[2m';
const COLOURS: Record<Severity, string> = {
  DEBUG: DIM,
  INFO: '\u001b[36m',
  WARN: '\u001b[33m',
  ERROR: '\u001b[31m',
  FATAL: '\u001b[1;37;41m',
};

/** For people on a terminal in colours and with a shorter time; else as the search answers it, to be looked through. */
export function renderLine({ t, severity, message }: LogLine, { hasColours }: { hasColours: boolean }): string {
  const text = logLine(message, hasColours);
  if (!hasColours) return `${t} ${severity} ${text}`;
  const colour = COLOURS[severity as Severity] ?? '';
  const name = `${colour}${severity}${RESET}${' '.repeat(Math.max(0, 5 - severity.length))}`;
  return `${DIM}${shortTime(t)}${RESET} ${name} ${text}`;
}

/** `11-15 13:00:00.000Z`: what was logged lately needs no year. `--since` and `--until` take it back. */
function shortTime(t: string): string {
  return isTime(t) ? t.slice(5).replace('T', ' ') : t;
}
