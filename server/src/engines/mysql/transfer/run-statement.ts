import type { Connection, ResultSetHeader } from 'mysql2';
import { boundAnswers } from '../answer-bound.ts';

/** What the server says after a statement that gives no rows. */
export interface Outcome {
  affectedRows: number;
  /** Whether backslashes mean something in quotes from now on, and double quotes are for names. */
  mode: { backslashes: boolean; ansiQuotes: boolean } | null;
}

const NO_BACKSLASH_ESCAPES = 0x02_00;
const ANSI_QUOTES = 0x80_00;

/** Runs one statement. Whatever it answers, and however often, is not held in memory; `AnswerTooLarge` where it would be. */
export function runStatement(connection: Connection, text: string): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    let outcome: Outcome = { affectedRows: 0, mode: null };
    let givesRows = false;
    const query = connection.query(text);
    const bound = boundAnswers(connection, reject);
    query.on('error', reject);
    // That the connection is lost is told to itself, and not to what it was at.
    connection.once('error', reject);
    query.on('fields', (fields: unknown[] | undefined) => {
      bound.begins(fields);
      givesRows = Boolean(fields);
    });
    query.on('result', (result: unknown) => {
      bound.row();
      if (!givesRows) outcome = outcomeOf(result as ResultSetHeader);
    });
    query.on('end', () => {
      bound.ends();
      connection.off('error', reject);
      resolve(outcome);
    });
  });
}

function outcomeOf({ affectedRows, serverStatus }: ResultSetHeader): Outcome {
  const mode = {
    backslashes: (serverStatus & NO_BACKSLASH_ESCAPES) === 0,
    ansiQuotes: (serverStatus & ANSI_QUOTES) !== 0,
  };
  return { affectedRows, mode };
}
