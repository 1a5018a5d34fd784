import { pino, type DestinationStream, type Logger } from 'pino';
import { describeError } from './describe-error.ts';
import { redactValue } from './redact-secrets.ts';
import { currentTrace } from './trace.ts';

export type Log = Logger;

export interface LogOptions {
  level: string;
  /** Which process speaks: api, worker, edge, supervisor. */
  role: string;
  /** Left out, standard output. */
  destination?: DestinationStream;
}

/**
 * One JSON object a line on standard output, with the request and the job it is about. What must stay
 * secret is cut out whatever the caller passes.
 */
export function createLog({ level, role, destination }: LogOptions): Log {
  const options = {
    level,
    base: { role },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    serializers: { err: describeError, error: describeError, problem: describeError },
    mixin: traceFields,
    hooks: { streamWrite: redactLine },
  };
  return destination ? pino(options, destination) : pino(options);
}

/** What was asked for, and the job that does it, found again in every line that is written meanwhile. */
function traceFields(): object {
  const trace = currentTrace();
  if (!trace) return {};
  return { ...(trace.requestId && { requestId: trace.requestId }), ...(trace.jobId && { jobId: trace.jobId }) };
}

/** The last step before a line is out, so that nothing gets around it. Lines are few: requests have none. */
function redactLine(line: string): string {
  return `${JSON.stringify(redactValue(JSON.parse(line)))}\n`;
}

export const silentLog: Log = pino({ level: 'silent' });
