import type { Connection } from 'mysql2/promise';

/** Longer than a statement that changes a table usually has it for itself. */
export const LOCK_WAIT_SECONDS = 30;

/** Whoever holds a table would hold up its backup too, and the backups of others behind it. */
export const waitShortly = (connection: Connection, seconds: number) =>
  connection.query(`set lock_wait_timeout = ${seconds}`);

/** What a server says to whom has waited too long, and the client repeats. */
export const LOCKED_OUT = /Lock wait timeout exceeded/;

export function lockedWords(table: string | null, seconds: number): string {
  const what = table === null ? 'A table of the database' : `The table ${table}`;
  return (
    `${what} was locked by another session for more than ${seconds} s, so that it could not be read: ` +
    'end its LOCK TABLES, or let its change of the table end (SHOW PROCESSLIST lists the sessions), then try again.'
  );
}
