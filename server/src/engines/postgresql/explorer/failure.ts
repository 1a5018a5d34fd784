import pg from 'pg';
import { EngineRefused } from '../../engine.ts';
import { cancelled, MAY_ONLY_READ, tooSlow } from '../../explore/refusals.ts';
import { RowMissing, StatementRefused, TableMissing } from '../../explorer.ts';

const CANCELLED = '57014';
const LOCKED_OUT = '55P03';
const LOCKED_WORDS =
  'Another session has locked what is asked for, and did not let go of it. End its transaction (pg_locks and ' +
  'pg_stat_activity tell whose it is), then try again.';
const READ_ONLY = '25006';
const DENIED = '42501';
/** What is the server's own, apart from what is kept from the account that reads, is not let to the owner either. */
const OWNER_MAY = /^permission denied for [a-z ]+ (?!pg_(?!(?:terminate|cancel)_backend)|lo_(?:im|ex)port)/;
/** The server is being stopped or started, ended the session, or does not let the owner in. */
const AWAY = /^(57P|08|28|3D)/;
const LONGEST_WORDS = 4000;

/** What the server said, for whoever wrote the statement; its position counts from the beginning of `text`. */
export function failureOf(error: unknown, timeoutMs: number, statement?: { text: string; readOnly: boolean }): unknown {
  if ([StatementRefused, TableMissing, RowMissing, EngineRefused].some((known) => error instanceof known)) return error;
  if (!(error instanceof pg.DatabaseError)) {
    const words = error instanceof Error ? error.message : String(error);
    return new EngineRefused(`The server of this database ended the session: ${words}`, { cause: error });
  }
  const { code = '', message, detail, hint } = error;
  if (AWAY.test(code)) return new EngineRefused(`The server of this database: ${message}`, { cause: error });
  if (code === CANCELLED && message.includes('user request')) return cancelled();
  if (code === CANCELLED && message.includes('statement timeout')) return tooSlow(timeoutMs);
  if (code === LOCKED_OUT && message.includes('lock timeout'))
    return new StatementRefused(LOCKED_WORDS, { cause: error });
  const where = statement && error.position ? lineOf(statement.text, Number(error.position)) : '';
  const advice = statement?.readOnly && onlyReads(code, message) ? MAY_ONLY_READ : null;
  const words = [message, detail, hint, advice].filter(Boolean).map(String);
  return new StatementRefused(`${where}${words.map(asSentence).join(' ').slice(0, LONGEST_WORDS)}`, { cause: error });
}

/** Whether the same would be done for the owner, in a transaction that can write. */
const onlyReads = (code: string, message: string): boolean =>
  code === READ_ONLY || (code === DENIED && OWNER_MAY.test(message));

const asSentence = (words: string): string => (/[.!?:]$/.test(words) ? words : `${words}.`);

/** The server counts characters. Of a statement that has one line only, nobody wants to know. */
function lineOf(text: string, position: number): string {
  if (!text.includes('\n')) return '';
  const before = Array.from(text).slice(0, position - 1);
  return `Line ${before.filter((character) => character === '\n').length + 1}: `;
}
