import type pg from 'pg';
import type { Connection, FieldDef, Submittable } from 'pg';
import { StatementRefused, type Cell } from '../../explorer.ts';
import { toParameter } from './values.ts';

export interface Asked {
  text: string;
  parameters: readonly Cell[];
  /** Takes each row, as the server's texts. */
  onRow: (row: (string | null)[]) => void;
  /** Asked after every few rows; true ends it, and the rest is not computed. */
  isEnough: () => boolean;
}

export interface Answered {
  /** Null when it answers no rows. */
  fields: FieldDef[] | null;
  /** `INSERT 0 3`; null when it was ended early. */
  tag: string | null;
}

/** Rows that are asked for at a time. */
const ROWS_AT_A_TIME = 100;

/** What the types leave out: these messages have no handlers in the client itself. */
type FullConnection = Connection & { sendCopyFail(message: string): void };

/**
 * One statement, as a portal that is read as far as wanted. By this way the server takes a single statement only, so
 * that nothing can follow it, and says which types its parameters have before they are given.
 */
export function runInPortal(client: pg.Client, asked: Asked): Promise<Answered> {
  return new Promise((resolve, reject) => {
    client.query(createPortal(asked, resolve, reject));
  });
}

function createPortal(
  { text, parameters, onRow, isEnough }: Asked,
  resolve: (answered: Answered) => void,
  reject: (error: unknown) => void,
): Submittable & Record<string, unknown> {
  let types: number[] = [];
  let fields: FieldDef[] | null = null;
  let tag: string | null = null;
  let failure: unknown;

  function onTypes({ dataTypeIDs }: { dataTypeIDs: number[] }): void {
    types = dataTypeIDs;
  }
  function stop(connection: Connection): void {
    connection.removeListener('parameterDescription', onTypes);
    connection.removeAllListeners('noData');
    if (connection.stream.writable) connection.sync();
  }
  function bind(connection: Connection): void {
    if (types.length !== parameters.length) {
      failure = new StatementRefused(`It has ${types.length} parameters, and ${parameters.length} were given.`);
      stop(connection);
      return;
    }
    const values = parameters.map((value, index) => toParameter(value, types[index] ?? 0));
    connection.bind({ portal: '', statement: '', values }, true);
    execute(connection);
  }

  return {
    submit(connection: Connection) {
      connection.on('parameterDescription', onTypes);
      connection.once('noData', () => bind(connection));
      connection.parse({ name: '', text, types: [] }, true);
      connection.describe({ type: 'S', name: '' }, true);
      connection.flush();
      this['connection'] = connection;
    },
    handleRowDescription(message: { fields: FieldDef[] }) {
      fields = message.fields;
      bind(this['connection'] as Connection);
    },
    handleDataRow({ fields: row }: { fields: (string | null)[] }) {
      onRow(row);
    },
    handlePortalSuspended(connection: Connection) {
      if (isEnough()) stop(connection);
      else execute(connection);
    },
    handleCommandComplete(message: { text: string }, connection: Connection) {
      tag = message.text;
      stop(connection);
    },
    handleEmptyQuery(connection: Connection) {
      failure = new StatementRefused('There is no statement.');
      stop(connection);
    },
    handleCopyInResponse(connection: FullConnection) {
      connection.sendCopyFail('Rows cannot be copied in here: insert them, or import a file.');
    },
    handleCopyData(_message: unknown, connection: Connection) {
      failure = new StatementRefused('Rows cannot be copied out here: select them.');
      connection.stream.destroy();
    },
    handleError(error: unknown, connection: Connection) {
      stop(connection);
      reject(failure ?? error);
    },
    handleReadyForQuery() {
      if (failure) reject(failure);
      else resolve({ fields, tag });
    },
  };
}

function execute(connection: Connection): void {
  connection.execute({ portal: '', rows: String(ROWS_AT_A_TIME) }, true);
  connection.flush();
}
