import { EngineRefused } from '../../engine.ts';
import { cancelled, MAY_ONLY_READ, tooSlow } from '../../explore/refusals.ts';
import { RowMissing, StatementRefused, TableMissing } from '../../explorer.ts';

const INTERRUPTED = 1317;
export const TOO_SLOW = 1969;
const READ_ONLY = 1792;
/** It does not let the owner in, is being stopped, or ended the session. */
const AWAY = new Set([1044, 1045, 1049, 1053, 1080, 1152, 1158, 1159, 1160, 1161, 1184, 1698, 1927]);
const LONGEST_WORDS = 4000;

interface ServerError extends Error {
  errno: number;
  sqlMessage: string;
}

/** What the server said, for whoever wrote the statement; it tells the line by itself. */
export function failureOf(error: unknown, timeoutMs: number, statement?: { readOnly: boolean }): unknown {
  if ([StatementRefused, TableMissing, RowMissing, EngineRefused].some((known) => error instanceof known)) return error;
  if (!isServerError(error)) {
    const words = error instanceof Error ? error.message : String(error);
    return new EngineRefused(`The server of this database ended the session: ${words}`, { cause: error });
  }
  const { errno, sqlMessage } = error;
  if (errno === INTERRUPTED) return cancelled();
  if (errno === TOO_SLOW) return tooSlow(timeoutMs);
  if (AWAY.has(errno)) return new EngineRefused(`The server of this database: ${sqlMessage}`, { cause: error });
  const words = sqlMessage.slice(0, LONGEST_WORDS);
  const advice = statement?.readOnly && errno === READ_ONLY ? ` ${MAY_ONLY_READ}` : '';
  return new StatementRefused(`${/[.!?]$/.test(words) ? words : `${words}.`}${advice}`, { cause: error });
}

const isServerError = (error: unknown): error is ServerError =>
  error instanceof Error && typeof (error as Partial<ServerError>).sqlMessage === 'string';

export const hasNumber = (error: unknown, errno: number): boolean => isServerError(error) && error.errno === errno;
