import type pg from 'pg';
import type { Engine } from '../../engine.ts';
import { CALL_MS, LOCK_MS } from '../../explore/limits.ts';
import type { Table } from '../../explorer.ts';
import type { ServerHost } from '../../host/server-host.ts';
import { homeOf } from '../../host/places-of.ts';
import { connectAsPlatform } from '../connect.ts';
import { cancelStatement, sessionNameOf } from './cancel.ts';
import { findTable, listTables, type KnownTable } from './catalogue.ts';
import { changeRow } from './change-row.ts';
import { changeTable } from './change-table.ts';
import { failureOf } from './failure.ts';
import { runStatement } from './query.ts';
import { readRows } from './rows.ts';
import { changing, inSession, reading } from './session.ts';

/** The brake in front of the end of the storage holds; what frees some is let past it. */
const BEGIN = 'begin';
const BEGIN_FREEING = 'begin read write';
const FREES = ['delete', 'truncate', 'drop'];
const FREEING = new RegExp(String.raw`^\s*(?:${FREES.join('|')})\b`, 'i');
const UNBRAKED = { default_transaction_read_only: 'off' };

/**
 * Each call has a session of its own, through the server's socket: as the owner, but for statements that are to read
 * only. Whatever they call, they cannot end what else the owner has running.
 */
export function explorePostgresql(host: Pick<ServerHost, 'find'>): Engine['explorer'] {
  return (access) => {
    const read = <T>(signal: AbortSignal, work: (client: pg.Client) => Promise<T>) =>
      inSession({ host, access }, { timeoutMs: CALL_MS, signal }, (client) => reading(client, () => work(client)));
    const change = <T>(operation: string, signal: AbortSignal, work: (client: pg.Client) => Promise<T>) =>
      inSession(
        { host, access },
        { timeoutMs: CALL_MS, signal, settings: { lock_timeout: `${LOCK_MS}ms` } },
        (client) => changing(client, FREES.includes(operation) ? BEGIN_FREEING : BEGIN, () => work(client)),
      );
    return {
      schema: (signal) => read(signal, async (client) => (await listTables(client)).map(presentTable)),
      table: (wanted, signal) => read(signal, async (client) => presentTable(await findTable(client, wanted))),
      rows: (wanted, signal) => read(signal, (client) => readRows(client, wanted)),
      query: (statement, signal) =>
        inSession(
          { host, access },
          {
            timeoutMs: statement.timeoutMs,
            signal,
            onlyReads: statement.readOnly,
            ...(!statement.readOnly && FREEING.test(statement.text) && { settings: UNBRAKED }),
            ...(statement.queryId !== null && { name: sessionNameOf(statement.queryId) }),
          },
          (client) => runStatement(client, statement),
        ),
      async cancel(queryId) {
        try {
          await using session = await connectAsPlatform(await homeOf(host, access.serverId));
          return await cancelStatement(session.client, access, queryId);
        } catch (error) {
          throw failureOf(error, CALL_MS);
        }
      },
      changeRow: (wanted, signal) => change(wanted.operation, signal, (client) => changeRow(client, wanted)),
      changeTable: (wanted, signal) => change(wanted.operation, signal, (client) => changeTable(client, wanted)),
    };
  };
}

const presentTable = ({ schema, name, kind, rows, columns }: KnownTable): Table => ({
  schema,
  name,
  view: kind === 'v' || kind === 'm',
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
