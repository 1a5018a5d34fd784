import type { Connection as CoreConnection } from 'mysql2';
import type { Connection } from 'mysql2/promise';
import { StatementRefused } from '../../explorer.ts';
import { boundAnswers } from '../answer-bound.ts';
import type { Field } from './fields.ts';
import type { Parameter } from './values.ts';

export type OnRow = (row: unknown[], fields: Field[]) => void;

export interface Prepared {
  /** How many columns it answers: none when it is no reading. */
  columns: number;
  parameters: number;
  run(values: readonly Parameter[], onRow: OnRow): Promise<Answered>;
}

export interface Answered {
  /** Null when it answers no rows. */
  fields: Field[] | null;
  affectedRows: number;
}

interface Emitter {
  on(event: 'fields', listener: (fields: Field[] | undefined) => void): Emitter;
  on(event: 'result', listener: (row: unknown, index?: number) => void): Emitter;
  on(event: 'error', listener: (error: unknown) => void): Emitter;
  on(event: 'end', listener: () => void): Emitter;
}
interface StatementInfo {
  columns: unknown[];
  parameters: unknown[];
  execute(values: readonly Parameter[]): Emitter;
}

/** Below its promises the library tells of row after row. */
const core = (connection: Connection): CoreConnection =>
  (connection as unknown as { connection: CoreConnection }).connection;

/** Values never are part of a statement's text, and a prepared statement is a single one. */
export function prepare(connection: Connection, text: string): Promise<Prepared> {
  return new Promise((resolve, reject) => {
    const inner = core(connection);
    const bound = boundAnswers(inner, reject);
    inner.prepare(text, (error, info) => {
      bound.ends();
      if (error) {
        reject(error);
        return;
      }
      const statement = info as unknown as StatementInfo;
      resolve({
        columns: statement.columns.length,
        parameters: statement.parameters.length,
        run: (values, onRow) => follow(inner, statement.execute(values), onRow),
      });
    });
  });
}

/** For the few that cannot be prepared. */
export const runPlain = (connection: Connection, text: string, onRow: OnRow): Promise<Answered> =>
  follow(core(connection), core(connection).query(text), onRow);

/** A procedure may answer several times; the first rows count. */
function follow(connection: CoreConnection, command: Emitter, onRow: OnRow): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const bound = boundAnswers(connection, reject);
    let fields: Field[] | null = null;
    let current: Field[] | null = null;
    let affectedRows = 0;
    command
      .on('fields', (told) => {
        bound.begins(told);
        // What was told is emptied when the next answer begins.
        current = fields || !told ? null : [...told];
        fields ??= current;
      })
      .on('result', (row) => {
        bound.row();
        if (!Array.isArray(row)) affectedRows = (row as { affectedRows?: number } | null)?.affectedRows ?? 0;
        else if (current) onRow(row, current);
      })
      .on('error', reject)
      .on('end', () => {
        bound.ends();
        resolve({ fields, affectedRows });
      });
  });
}

/** One of the platform's own. */
export async function ask(
  connection: Connection,
  text: string,
  values: readonly Parameter[] = [],
): Promise<unknown[][]> {
  const rows: unknown[][] = [];
  await (await prepare(connection, text)).run(values, (row) => rows.push(row));
  return rows;
}

/** One of the platform's own that changes something. */
export async function tell(connection: Connection, text: string, values: readonly Parameter[] = []): Promise<number> {
  const { affectedRows } = await (await prepare(connection, text)).run(values, () => {});
  return affectedRows;
}

export function assertCount(wanted: number, given: number): void {
  if (wanted !== given) throw new StatementRefused(`It has ${wanted} parameters, and ${given} were given.`);
}
