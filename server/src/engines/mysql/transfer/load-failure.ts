import { EngineRefused } from '../../engine.ts';
import { LoadFailed, SessionLost } from '../../transfer.ts';
import { AnswerTooLarge } from '../answer-bound.ts';

/** The server was stopped, or ended the session. */
const ENDED = new Set([1053, 1317, 1927, 1077, 1079, 1080]);
const SYNTAX = 1064;
const LONGEST_WORDS = 2000;

interface ServerError {
  errno?: number;
  sqlMessage?: string;
}

/** Says which line of the file the server does not like, and why. */
export function failureOf(error: unknown, line: number | null): Error {
  if (error instanceof LoadFailed || error instanceof EngineRefused) return error;
  if (error instanceof AnswerTooLarge) return new LoadFailed(`Line ${line}: ${error.message}`, { cause: error });
  const { errno, sqlMessage } = error as ServerError;
  if (sqlMessage === undefined || ENDED.has(errno ?? 0)) {
    const words = error instanceof Error ? error.message : String(error);
    if (line !== null) return new SessionLost(line, words, error);
    return new EngineRefused(`The server of this database ended the session: ${words}`, { cause: error });
  }
  // Every character is a byte, since that is how this session sends and receives.
  const words = Buffer.from(sqlMessage, 'latin1').toString('utf8').slice(0, LONGEST_WORDS);
  if (line === null) return new LoadFailed(words, { cause: error });
  const within = errno === SYNTAX ? / at line (\d+)$/.exec(words) : null;
  const where = line + (within ? Number(within[1]) - 1 : 0);
  return new LoadFailed(`Line ${where}: ${within ? words.slice(0, within.index) : words}`, { cause: error });
}
