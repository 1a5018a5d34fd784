import { styleText } from 'node:util';
import { plainText } from '../lib/plain-text.ts';
import { redactText } from '../lib/redact-secrets.ts';

/** A record as the roles write them: one JSON object a line. */
export interface LogRecord {
  level: string;
  time: string;
  role: string;
  msg: string;
  [field: string]: unknown;
}

/** What a role wrote on its standard output: a record, or else a line of text (a crash, mostly). */
export function parseLine(line: string, role: string, now: Date): LogRecord {
  if (line.startsWith('{')) {
    try {
      const record = JSON.parse(line) as LogRecord;
      if (typeof record.level === 'string' && typeof record.msg === 'string') return record;
    } catch {
      // Not a record, so it is shown as it is.
    }
  }
  return { level: 'error', time: now.toISOString(), role, msg: redactText(line) };
}

type Style = Parameters<typeof styleText>[0];

const roleStyles: Record<string, Style> = {
  supervisor: 'magenta',
  api: 'cyan',
  worker: 'green',
  edge: 'blue',
  store: 'yellow',
};
const levelStyles: Record<string, Style> = { warn: 'yellow', error: 'red', fatal: 'red' };
const shownElsewhere = new Set(['level', 'time', 'role', 'msg', 'err', 'pid', 'hostname']);

/** `12:03:01 api    message  field=value`, for people. */
export function formatForTerminal(record: LogRecord, colours: boolean): string {
  const paint = (style: Style | undefined, text: string) =>
    colours && style ? styleText(style, text, { validateStream: false }) : text;
  const role = record.role === 'supervisor' ? 'lilac' : record.role;
  const parts = [
    paint('dim', timeOf(record.time)),
    paint(roleStyles[record.role], role.padEnd(6)),
    paint(levelStyles[record.level], plainText(record.msg)),
  ];
  const fields = Object.entries(record).filter(([name]) => !shownElsewhere.has(name));
  if (fields.length > 0) parts.push(paint('dim', fields.map(formatField).join(' ')));
  return [parts.join(' '), ...errorLines(record).map((line) => paint('dim', `                ${line}`))].join('\n');
}

function timeOf(iso: string): string {
  const time = new Date(iso);
  return Number.isNaN(time.getTime()) ? '--:--:--' : time.toTimeString().slice(0, 8);
}

function formatField([name, value]: [string, unknown]): string {
  return `${name}=${plainText(typeof value === 'string' ? value : JSON.stringify(value))}`;
}

function errorLines(record: LogRecord): string[] {
  const error = record.err as { message?: string; stack?: string } | undefined;
  if (!error) return [];
  const text = record.level === 'error' || record.level === 'fatal' ? (error.stack ?? error.message) : error.message;
  return plainText(text ?? '').split('\n');
}
