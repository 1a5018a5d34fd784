import type { Readable } from 'node:stream';
import type { LogLevel } from '../config.ts';
import { logLevels } from '../config/read-values.ts';
import { formatForTerminal, parseLine, type LogRecord } from './log-line.ts';

/** Everything the platform says goes through here: short lines for a person at a terminal, JSON lines otherwise. */
export interface Output {
  say(level: LogLevel, message: string, fields?: Record<string, unknown>): void;
  /** Passes on what a role writes, line by line. */
  follow(role: string, stream: Readable): void;
  /** For people only: the text as it is on a terminal, one record with these fields otherwise. */
  announce(text: (colours: boolean) => string, message: string, fields: Record<string, unknown>): void;
}

export interface OutputTarget {
  isTTY?: boolean;
  hasColors?(): boolean;
  write(text: string): unknown;
}

const MAX_LINE_LENGTH = 65_536;

export function createOutput(target: OutputTarget, level: LogLevel): Output {
  const isTerminal = target.isTTY === true;
  const colours = isTerminal && target.hasColors?.() === true;
  const print = (record: LogRecord) =>
    target.write(`${isTerminal ? formatForTerminal(record, colours) : JSON.stringify(record)}\n`);
  return {
    say(severity, message, fields) {
      if (logLevels.indexOf(severity) >= logLevels.indexOf(level)) print(ownRecord(severity, message, fields));
    },
    follow(role, stream) {
      eachLine(stream, (line) => print(parseLine(line, role, new Date())));
    },
    announce(text, message, fields) {
      if (isTerminal) target.write(text(colours));
      else print(ownRecord('info', message, fields));
    },
  };
}

function ownRecord(level: LogLevel, msg: string, fields: Record<string, unknown> = {}): LogRecord {
  return { level, time: new Date().toISOString(), role: 'supervisor', msg, ...fields };
}

function eachLine(stream: Readable, take: (line: string) => void): void {
  let rest = '';
  stream.setEncoding('utf8');
  stream.on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > MAX_LINE_LENGTH) lines.push(rest.slice(0, MAX_LINE_LENGTH));
    if (rest.length > MAX_LINE_LENGTH) rest = '';
    for (const line of lines) if (line.trim()) take(line);
  });
  stream.once('end', () => rest.trim() && take(rest));
  stream.on('error', () => {});
}
