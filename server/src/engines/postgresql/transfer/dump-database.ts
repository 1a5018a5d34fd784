import { EngineRefused } from '../../engine.ts';
import type { DumpSummary } from '../../transfer.ts';
import { writeToSink } from '../../write-to-sink.ts';
import type { Session } from '../connect.ts';
import { readMainProcessFile } from '../main-process-file.ts';
import { READER_ROLE } from '../host-based-access.ts';
import type { PostgresqlPrograms } from '../programs.ts';
import { ensureReadingRole } from '../reading-role.ts';
import { dumpLargeObjects } from './dump-large-objects.ts';
import { dumpRows } from './dump-rows.ts';
import { dumpSchema, type SchemaLimits } from './dump-schema.ts';
import { dumpSequences } from './dump-sequences.ts';
import { listenToNotices, watchSession, type GoneWithin } from './ended-itself.ts';
import { holdStill, StillMoving } from './hold-still.ts';
import { unlessLockedOut } from './lock-holders.ts';
import { placesToday, readSchemas } from './names-today.ts';
import { openReader } from './reader.ts';
import { endedOver, longestRowBytes } from './row-limit.ts';
import type { Table } from './tables.ts';
import { DUMP_BEGINS, dumpEnds } from './whole-file.ts';

export interface DumpWants {
  home: string;
  isGoneWithin: GoneWithin;
  series: number;
  /** Of the server. */
  memoryMb: number;
  databaseName: string;
  programs: readonly PostgresqlPrograms[];
  schemaLimits: SchemaLimits;
  /** How long it waits for whoever has locked a table. */
  lockWaitMs: number;
  sink: NodeJS.WritableStream;
  signal: AbortSignal;
}

/** How values become text: the same on every server, and without loss. */
const TEXT_SETTINGS = {
  client_encoding: 'UTF8',
  datestyle: 'ISO',
  intervalstyle: 'postgres',
  extra_float_digits: '3',
  bytea_output: 'hex',
  timezone: 'UTC',
  // Rows in the order in which they lie, whoever else is reading them.
  synchronize_seqscans: 'off',
  max_parallel_workers_per_gather: '0',
  // Nobody is left to read it when this process is killed.
  client_connection_check_interval: '1000',
};

export async function dumpDatabase(wants: DumpWants): Promise<DumpSummary> {
  const { home, databaseName, signal } = wants;
  signal.throwIfAborted();
  await ensureReadingRole(home, { role: READER_ROLE, databaseName });
  await using session = await openReader(home, databaseName, { settings: TEXT_SETTINGS, signal });
  const cut = () => session.cut();
  signal.addEventListener('abort', cut);
  try {
    return await dumpThrough(session, wants);
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    signal.removeEventListener('abort', cut);
  }
}

async function dumpThrough({ client }: Session, wants: DumpWants): Promise<DumpSummary> {
  const { home, signal, lockWaitMs } = wants;
  const port = readMainProcessFile(home)?.port;
  if (!port) throw new EngineRefused('The server of this database does not run.');
  const hasEndedItself = watchSession(wants.isGoneWithin, listenToNotices(client));
  await client.query(READ_NO_VIEWS);
  await using aside = await openReader(home, wants.databaseName, { signal });
  await aside.client.query(READ_NO_VIEWS);
  await aside.client.query(`set lock_timeout = ${lockWaitMs}`);
  const { schema, tables } = await holdStill(client, { signal, lockWaitMs }, async (snapshot) => {
    const schemas = await readSchemas(client);
    const schema = await unlessLockedOut(aside.client, { signal, lockWaitMs }, (signal) =>
      dumpSchema({
        ...wants,
        limits: wants.schemaLimits,
        signal,
        port,
        snapshot: snapshot.id,
        tables: snapshot.tables.length,
      }),
    );
    // Tables are held, the names of their schemas are not.
    if ((await readSchemas(aside.client)) !== schemas) throw new StillMoving('Schemas came, went or were renamed.');
    return { tables: snapshot.tables, schema };
  });
  const sink = writeToSink(wants.sink, signal);
  await sink.write(DUMP_BEGINS);
  await sink.write(schema.before);
  let current: Table | null = null;
  const rows = await dumpRows(
    {
      inView: client,
      placesOf: (oids) => placesToday(aside.client, oids),
      longestBytes: longestRowBytes(wants.memoryMb),
      onTable: (table) => (current = table),
    },
    tables,
    sink,
  ).catch(async (error: unknown) => {
    throw (await hasEndedItself(error)) ? endedOver(current) : error;
  });
  await dumpSequences({ inView: client, aside: aside.client }, sink);
  await dumpLargeObjects(client, sink);
  await sink.write(schema.after);
  await client.query('commit');
  const summary = { tables: tables.length, rows };
  await sink.write(dumpEnds(summary));
  return summary;
}

/** Somebody could put a view where a table or a sequence was. What he has in it would run as the reader only. */
const READ_NO_VIEWS = `
  select set_config(name, 'view, foreign-table', false) from pg_settings
  where name = 'restrict_nonsystem_relation_kind'`;
