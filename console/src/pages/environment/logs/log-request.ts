import { severities, type Severity } from '@lilac/contract/states';
import type { LogLine } from '../../../parts/log-view/buffer.ts';

const logTimes = ['', '1h', '6h', '24h', '7d', 'between'] as const;
/** Empty: as it is written. */
export type LogTime = (typeof logTimes)[number];

/** What is to be shown, as the address says it. */
export interface LogRequest {
  severities: Severity[];
  text: string;
  time: LogTime;
  /** For `between`; empty where that end is open. */
  from: string;
  to: string;
}

const hours: Record<Exclude<LogTime, '' | 'between'>, number> = { '1h': 1, '6h': 6, '24h': 24, '7d': 7 * 24 };

/** An address is typed by anybody: what is not known in it is left out. */
export function readLogRequest(query: Record<'severity' | 'text' | 'time' | 'from' | 'to', string>): LogRequest {
  const time = logTimes.find((each) => each === query.time) ?? '';
  const wanted = query.severity.toUpperCase().split(',');
  return {
    severities: severities.filter((each) => wanted.includes(each)),
    text: query.text.slice(0, 1000),
    time,
    from: time === 'between' ? momentOf(query.from) : '',
    to: time === 'between' ? momentOf(query.to) : '',
  };
}

export function filtersOf(request: LogRequest, nowMs: number) {
  const { from, to, time } = request;
  const startTime = time === '' || time === 'between' ? from : new Date(nowMs - hours[time] * 3_600_000).toISOString();
  return {
    ...(startTime && { startTime }),
    ...(to && { endTime: to }),
    ...(request.severities.length > 0 && { severity: request.severities }),
    ...(request.text && { textSearch: request.text }),
  };
}

/** One severity more or less; all of them are as good as none chosen. */
export function toggleSeverity(chosen: readonly Severity[], severity: Severity): Severity[] {
  const next = severities.filter((each) => chosen.includes(each) !== (each === severity));
  return next.length === severities.length ? [] : next;
}

const LINE = /^(\S+) ([A-Z]+) (.*)$/s;

/** `2026-11-15T12:00:00.000Z ERROR Something went wrong` */
export function parseLogLine(line: string): LogLine {
  const [, at, severity, text] = LINE.exec(line) ?? [];
  const known = severities.find((each) => each === severity);
  return at === undefined || known === undefined ? { text: line } : { at, severity: known, text: text! };
}

type Printed = { [Part in keyof LogLine]: LogLine[Part] | undefined };

export function printLogLine({ at, severity, text }: Printed): string {
  return [at, severity, text].filter((part) => part !== undefined).join(' ');
}

/**
 * Of older lines those that are not held yet. What is followed comes in the order of storing, what is searched in that
 * of time: a page that is to end where the held lines begin may have some of them.
 */
export function withoutHeld(older: readonly LogLine[], held: readonly LogLine[]): LogLine[] {
  const counts = countLines(held);
  return older.filter((line) => !takeCounted(counts, line));
}

/** How often each is there: lines of the same moment may say the same. */
export function countLines(lines: readonly LogLine[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const line of lines) counts.set(printLogLine(line), (counts.get(printLogLine(line)) ?? 0) + 1);
  return counts;
}

/** Whether it is among the counted; then it is one less. */
export function takeCounted(counts: Map<string, number>, line: LogLine): boolean {
  if (counts.size === 0) return false;
  const left = counts.get(printLogLine(line)) ?? 0;
  if (left > 1) counts.set(printLogLine(line), left - 1);
  else counts.delete(printLogLine(line));
  return left > 0;
}

function momentOf(text: string): string {
  const ms = Date.parse(text);
  return Number.isNaN(ms) ? '' : new Date(ms).toISOString();
}
