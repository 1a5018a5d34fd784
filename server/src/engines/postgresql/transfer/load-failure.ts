import pg from 'pg';
import { EngineRefused } from '../../engine.ts';
import { newlinesIn } from '../../script-text.ts';
import { LoadFailed, SessionLost } from '../../transfer.ts';
import { AnswerTooLong } from './drop-rows.ts';
import type { ScriptStatement } from './read-script.ts';

/** The server was stopped, or ended the session. */
const ENDED = /^(57P0|08)/;
const LONGEST_WORDS = 2000;

/** Says which line of the file the server does not like, and why. */
export function failureOf(error: unknown, statement: ScriptStatement | null, lacking: readonly string[]): unknown {
  if (error instanceof LoadFailed || error instanceof EngineRefused) return error;
  const at = statement ? `Line ${statement.line}: ` : '';
  if (error instanceof AnswerTooLong) return new LoadFailed(`${at}${error.message}.`, { cause: error });
  if (!(error instanceof pg.DatabaseError) || ENDED.test(error.code ?? '')) {
    const words = error instanceof Error ? error.message : String(error);
    if (statement) return new SessionLost(statement.line, words, error);
    return new EngineRefused(`The server of this database ended the session: ${words}`, { cause: error });
  }
  const where = statement ? `Line ${lineOf(error, statement)}: ` : '';
  const advice = statement && namesRole(error, statement) ? ONE_ACCOUNT : null;
  const words = [error.message, error.detail, error.hint, advice, ...lacking].filter(Boolean).join('. ');
  return new LoadFailed(`${where}${words.slice(0, LONGEST_WORDS)}`, { cause: error });
}

const UNDEFINED_OBJECT = '42704';

/**
 * Who may see which rows is not for us to guess: neither is a policy left out, nor is it given to another account than
 * the one that it was written for.
 */
const ONE_ACCOUNT =
  'There is one account here, the one that owns the database: let the policy be TO public or TO current_user in the ' +
  'file, or take it out';

const namesRole = ({ code, message }: pg.DatabaseError, { words: [first, second] }: ScriptStatement): boolean =>
  second === 'policy' &&
  (first === 'create' || first === 'alter') &&
  code === UNDEFINED_OBJECT &&
  message.startsWith('role ');

function lineOf({ where, position }: pg.DatabaseError, { line, text, takesRows }: ScriptStatement): number {
  const row = takesRows ? /^COPY .*, line (\d+)/s.exec(where ?? '')?.[1] : undefined;
  const before = position ? text.slice(0, Number(position) - 1) : '';
  const last = row ? text : before;
  return line + newlinesIn(last) + Number(row ?? 0);
}
