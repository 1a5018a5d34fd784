import type { Connection } from 'mysql2/promise';
import type { Engine } from '../../engine.ts';
import { CALL_MS, LOCK_MS } from '../../explore/limits.ts';
import type { Table } from '../../explorer.ts';
import type { ServerHost } from '../../host/server-host.ts';
import { cancelStatement, markStatement } from './cancel.ts';
import { findTable, listTables, type KnownTable } from './catalogue.ts';
import { changeRow } from './change-row.ts';
import { changeTable } from './change-table.ts';
import { runStatement } from './query.ts';
import { readRows } from './rows.ts';
import { beginReading, changing, inSession } from './session.ts';

/** Each call has a session of its own, as the owner, through the server's socket. */
export function exploreMysql(host: Pick<ServerHost, 'find'>): Engine['explorer'] {
  return (access) => {
    const { databaseName } = access;
    const read = <T>(signal: AbortSignal, work: (connection: Connection) => Promise<T>) =>
      inSession({ host, access }, { timeoutMs: CALL_MS, signal }, async ({ connection }) => {
        await beginReading(connection);
        return await work(connection);
      });
    const change = <T>(signal: AbortSignal, work: (connection: Connection) => Promise<T>) =>
      inSession({ host, access }, { timeoutMs: CALL_MS, signal }, ({ connection }) =>
        changing(connection, LOCK_MS, () => work(connection)),
      );
    return {
      schema: (signal) => read(signal, async (connection) => (await listTables(connection)).map(presentTable)),
      table: (wanted, signal) =>
        read(signal, async (connection) => presentTable(await findTable(connection, wanted, databaseName))),
      rows: (wanted, signal) => read(signal, (connection) => readRows(connection, wanted, databaseName)),
      query: (statement, signal) =>
        inSession({ host, access }, { timeoutMs: statement.timeoutMs, signal }, async (session) => {
          if (statement.queryId !== null) await markStatement(session.connection, statement.queryId);
          return await runStatement(session, statement);
        }),
      cancel: (queryId) =>
        inSession({ host, access }, { timeoutMs: CALL_MS, signal: new AbortController().signal }, ({ connection }) =>
          cancelStatement(connection, queryId),
        ),
      changeRow: (wanted, signal) => change(signal, (connection) => changeRow(connection, wanted, databaseName)),
      changeTable: (wanted, signal) => change(signal, (connection) => changeTable(connection, wanted, databaseName)),
    };
  };
}

const presentTable = ({ schema, name, isView, rows, columns }: KnownTable): Table => ({
  schema,
  name,
  view: isView,
  rows,
  columns: columns.map(({ name: column, type, nullable, default: preset, primaryKey, generated, list }) => ({
    name: column,
    type,
    nullable,
    default: preset,
    primaryKey,
    generated,
    list,
  })),
});
