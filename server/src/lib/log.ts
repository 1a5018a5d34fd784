import { pino, type Logger } from 'pino';

export type Log = Logger;

export interface LogOptions {
  level: string;
  /** Which process speaks: api, worker, edge, supervisor. */
  role: string;
}

/** One JSON object a line on standard output; what must stay secret is cut out whatever the caller passes. */
export function createLog({ level, role }: LogOptions): Log {
  return pino({
    level,
    base: { role },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    redact: {
      paths: ['password', 'secret', 'token', 'refreshToken', 'authorization', 'cookie'].flatMap((name) => [
        name,
        `*.${name}`,
      ]),
      censor: '[redacted]',
    },
  });
}

export const silentLog: Log = pino({ level: 'silent' });
