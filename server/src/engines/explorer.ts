/** How to get in: as the owner, through the server's own socket on this machine. */
export interface ExplorerAccess {
  serverId: string;
  databaseName: string;
  user: string;
  password: string;
  /**
   * MySQL: called in every session once the server has let it in, before anything is read or written. What it throws is
   * what the call rejects with.
   */
  onceIn?: () => Promise<void>;
}

export type Cell = string | number | boolean | null | unknown[] | { [name: string]: unknown };
export type Cells = Record<string, Cell>;

export interface Column {
  name: string;
  type: string;
  nullable: boolean;
  default: string | null;
  primaryKey: boolean;
  /** The engine makes its values, and takes none. */
  generated: boolean;
  /** Its values are arrays, also where the type has a name of its own. */
  list: boolean;
}

export interface Table {
  schema: string;
  name: string;
  /** Whether its rows are computed from others. */
  view: boolean;
  /** The engine's estimate. */
  rows: number;
  columns: Column[];
}

export interface RowFilter {
  column: string;
  operator: '=' | '!=' | '<' | '<=' | '>' | '>=' | 'contains' | 'is null' | 'is not null';
  value?: Cell;
}

export interface InTable {
  table: string;
  /** Left out: `public`, or the database itself. */
  schema?: string;
}

export interface RowsWanted extends InTable {
  offset: number;
  limit: number;
  sortColumn?: string;
  sortOrder: 'asc' | 'desc';
  filters: readonly RowFilter[];
}

export interface Statement {
  text: string;
  parameters: readonly Cell[];
  readOnly: boolean;
  queryId: string | null;
  maxRows: number;
  timeoutMs: number;
}

export interface StatementResult {
  columns: { name: string; type: string }[];
  rows: Cell[][];
  rowCount: number;
  truncated: boolean;
}

export type RowChange = InTable &
  (
    | { operation: 'insert'; values: Cells }
    | { operation: 'update'; values: Cells; key: Cells }
    | { operation: 'delete'; key: Cells }
  );

export type TableChange = InTable &
  (
    | { operation: 'create'; columns: { name: string; type: string; nullable: boolean; primaryKey: boolean }[] }
    | { operation: 'rename'; newName: string }
    | { operation: 'truncate' }
    | { operation: 'drop' }
  );

/**
 * Looks into one database and changes it, never as superuser: identifiers are quoted by the engine's own rules,
 * values always bound, reading happens in a transaction that cannot write. Everything ends with the signal, on the
 * server too. Rejects with `StatementRefused` when the database says no.
 */
export interface Explorer {
  /** The first `MOST_TABLES` of them. */
  schema(signal: AbortSignal): Promise<Table[]>;
  /** One of them, also where it is not among the first. Rejects with `TableMissing`. */
  table(wanted: InTable, signal: AbortSignal): Promise<Table>;
  /** Rejects with `TableMissing`. `total` counts what the filters let through; where that takes long, it is an estimate. */
  rows(wanted: RowsWanted, signal: AbortSignal): Promise<{ rows: Cells[]; total: number }>;
  /** One statement. More rows than asked for are not read from the server; what may change something runs to its end. */
  query(statement: Statement, signal: AbortSignal): Promise<StatementResult>;
  /** False when nothing of that id runs. */
  cancel(queryId: string): Promise<boolean>;
  /** The row as it is afterwards; null when it is gone. Rejects with `RowMissing` when the key names none. */
  changeRow(change: RowChange, signal: AbortSignal): Promise<Cells | null>;
  changeTable(change: TableChange, signal: AbortSignal): Promise<void>;
}

/** The database's own words, for whoever wrote the statement. */
export class StatementRefused extends Error {}
export class TableMissing extends Error {}
export class RowMissing extends Error {}
