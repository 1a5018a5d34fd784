import { OWNER, type EngineSubject } from '../conformance-subject.ts';
import {
  RowMissing,
  StatementRefused,
  TableMissing,
  type Cell,
  type Cells,
  type Explorer,
  type ExplorerAccess,
  type RowsWanted,
  type Statement,
  type StatementResult,
} from '../explorer.ts';

/** An explorer that is tested, and what differs between engines. */
export interface ExplorerSubject extends AsyncDisposable {
  subject: EngineSubject;
  explorer: (access: ExplorerAccess) => Explorer;
  /** How many sessions of the owner the server has. */
  countSessions: (serverId: string) => Promise<number>;
}

export interface Dialect {
  types: { id: string; json: string; bytes: string; text: string };
  quoted: (name: string) => string;
  /** The first parameter. */
  parameter: string;
  sleep: (seconds: number) => string;
  /** So many rows, each computed when it is asked for. */
  manyRows: (count: number) => string;
  /** A single value of many megabytes. */
  giant: string;
  /** Reads of a table `place` that must fail or leave nothing behind. */
  sideEffects: readonly string[];
  /** Reads that must fail. */
  refused: readonly string[];
}

/** Short words for what a test does all the time. */
export interface Kit {
  dialect: Dialect;
  access: ExplorerAccess;
  /** As from another process. */
  another: (changes?: Partial<ExplorerAccess>) => Explorer;
  explorer: Explorer;
  countSessions: () => Promise<number>;
  read: (text: string, parameters?: Cell[], changes?: Partial<Statement>) => Promise<StatementResult>;
  write: (text: string, parameters?: Cell[]) => Promise<StatementResult>;
  rows: (table: string, wanted?: Partial<RowsWanted>) => Promise<{ rows: Cells[]; total: number }>;
  insert: (table: string, values: Cells) => Promise<Cells | null>;
  update: (table: string, key: Cells, values: Cells) => Promise<Cells | null>;
  remove: (table: string, key: Cells) => Promise<Cells | null>;
  /** With a primary key of the first column, unless another is named. */
  create: (table: string, columns: Record<string, string>, key?: string[]) => Promise<void>;
  drop: (table: string) => Promise<void>;
  names: () => Promise<string[]>;
}

export const SERVER = 'dbs_explored';

/** Nobody goes away. */
export const GOING = new AbortController().signal;

export function createKit(bench: ExplorerSubject, dialect: Dialect): Kit {
  const access = { serverId: SERVER, ...OWNER };
  const explorer = bench.explorer(access);
  const read: Kit['read'] = (text, parameters = [], changes = {}) =>
    explorer.query(
      { text, parameters, readOnly: true, queryId: null, maxRows: 1000, timeoutMs: 30_000, ...changes },
      GOING,
    );
  return {
    dialect,
    access,
    explorer,
    another: (changes = {}) => bench.explorer({ ...access, ...changes }),
    countSessions: () => bench.countSessions(SERVER),
    read,
    write: (text, parameters = []) => read(text, parameters, { readOnly: false }),
    rows: (table, wanted = {}) =>
      explorer.rows({ table, offset: 0, limit: 100, sortOrder: 'asc', filters: [], ...wanted }, GOING),
    insert: (table, values) => explorer.changeRow({ operation: 'insert', table, values }, GOING),
    update: (table, key, values) => explorer.changeRow({ operation: 'update', table, key, values }, GOING),
    remove: (table, key) => explorer.changeRow({ operation: 'delete', table, key }, GOING),
    create: (table, columns, key = Object.keys(columns).slice(0, 1)) =>
      explorer.changeTable(
        {
          operation: 'create',
          table,
          columns: Object.entries(columns).map(([name, type]) => ({
            name,
            type,
            nullable: !key.includes(name),
            primaryKey: key.includes(name),
          })),
        },
        GOING,
      ),
    drop: (table) => explorer.changeTable({ operation: 'drop', table }, GOING),
    names: async () => (await explorer.schema(GOING)).map(({ name }) => name).toSorted(),
  };
}

/** How an attempt ends, in one word where it is one of those that are meant. */
export async function endOf(attempt: Promise<unknown>): Promise<string> {
  return attempt.then(
    () => 'taken',
    (error: unknown) => {
      if (error instanceof StatementRefused) return 'refused';
      if (error instanceof TableMissing) return 'no table';
      return error instanceof RowMissing ? 'no row' : String(error);
    },
  );
}

/** For `toEqual`: what each of many attempts came to. */
export async function endsOf<T>(inputs: readonly T[], attempt: (input: T) => Promise<unknown>): Promise<[T, string][]> {
  const ends: [T, string][] = [];
  for (const input of inputs) ends.push([input, await endOf(attempt(input))]);
  return ends;
}

export const allEnd = <T>(inputs: readonly T[], end: string): [T, string][] => inputs.map((input) => [input, end]);
