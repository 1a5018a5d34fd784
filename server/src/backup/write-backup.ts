import { createHash, randomBytes } from 'node:crypto';
import { linkSync, rmSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type pg from 'pg';
import { currentMigration } from '../db/migrate.ts';
import { pinnedDb } from '../db/pinned-db.ts';
import type { Store } from '../db/pool.ts';
import { takeTime } from '../db/store-client.ts';
import type { Clock } from '../lib/clock.ts';
import type { ObjectStore } from '../objects/object-store.ts';
import { sealedColumns } from '../secrets/sealed-columns.ts';
import { listKeysInUse } from '../secrets/sealed-values-store.ts';
import { readKeys, type StoredKeys } from '../secrets/stored-keys.ts';
import {
  BackupError,
  END_OF_TABLE,
  FORMAT,
  FORMAT_VERSION,
  type BackupHeader,
  type BackupTrailer,
  type TableLine,
} from './backup-format.ts';
import { objectsOf, type ObjectsReport } from './backup-objects.ts';
import { beginSnapshot, copyOut, holdObjects, listTables, readFreeSequences, readSequences } from './backup-store.ts';

/** Most of a large backup is pictures and compressed forms already: better fast than a little smaller. */
const GZIP_LEVEL = 1;

export interface WriteBackupOptions {
  store: Store;
  /** Or where they are, if they are not to be in it. */
  objects: ObjectStore | { in: string };
  keyFile: string;
  clock: Clock;
  /** Where the backup goes. Nothing may be there yet. */
  path: string;
  lilacVersion: string;
}

export interface BackupReport {
  path: string;
  sizeBytes: number;
  /** How many rows of each table. */
  rows: Record<string, number>;
  objects: ObjectsReport;
  /**
   * Keys that values in the store need and the key file does not have: those values cannot be opened, here or there.
   */
  missingKeys: string[];
}

/**
 * Writes the whole platform to one file, while everything goes on: the store as it is at one moment, and
 * every object that it names then. The file holds the keys too:
 * whoever reads it can open every secret, so its mode is 0600 and it must be kept like a key.
 */
export async function writeBackup(options: WriteBackupOptions): Promise<BackupReport> {
  const client = options.store.newClient();
  const draft = `${options.path}.${randomBytes(4).toString('hex')}.partial`;
  await client.connect();
  try {
    await takeTime(client);
    await holdObjects(client);
    await beginSnapshot(client);
    const tables = await listTables(client);
    const header = await describe(options, client, tables);
    const report = { rows: {}, objects: { count: 0, bytes: 0, missing: [], damaged: [] } };
    await writeDraft(draft, contentOf({ client, objects: options.objects, header, tables, report }));
    const missingKeys = await findMissingKeys(client, tables, header.keys);
    publish(draft, options.path);
    return { path: options.path, sizeBytes: statSync(options.path).size, ...report, missingKeys };
  } finally {
    rmSync(draft, { force: true });
    await client.end();
  }
}

/** The keys are read after the snapshot was taken: a key is in the key file before any value needs it. */
async function describe(options: WriteBackupOptions, client: pg.Client, tables: TableLine[]): Promise<BackupHeader> {
  const migration = await currentMigration(pinnedDb(client));
  if (!migration) throw new BackupError('The store is empty: there is nothing to back up.');
  return {
    format: FORMAT,
    version: FORMAT_VERSION,
    lilac: options.lilacVersion,
    migration,
    createdAt: options.clock.now().toISOString(),
    tables: tables.map(({ table }) => table),
    sequences: await readSequences(client),
    freeSequences: await readFreeSequences(client),
    keys: readKeys(options.keyFile),
    ...('in' in options.objects && { objectsIn: options.objects.in }),
  };
}

interface Content {
  client: pg.Client;
  objects: WriteBackupOptions['objects'];
  header: BackupHeader;
  tables: TableLine[];
  /** Filled in on the way. */
  report: Pick<BackupReport, 'rows' | 'objects'>;
}

async function* contentOf(content: Content): AsyncGenerator<Buffer> {
  const hash = createHash('sha256');
  for await (const part of bodyOf(content)) {
    hash.update(part);
    yield part;
  }
  const { rows, objects } = content.report;
  const trailer: BackupTrailer = { rows, objects: objects.count, sha256: hash.digest('hex') };
  yield lineOf(trailer);
}

async function* bodyOf({ client, objects, header, tables, report }: Content): AsyncGenerator<Buffer> {
  yield lineOf(header);
  for (const table of tables) {
    yield lineOf(table);
    const copy = copyOut(client, table);
    yield* copy as AsyncIterable<Buffer>;
    report.rows[table.table] = copy.rowCount;
    yield Buffer.from(END_OF_TABLE);
  }
  // A store from before there were artifacts names no object.
  if (header.tables.includes('artifacts') && !('in' in objects))
    yield* objectsOf({ client, objects, report: report.objects });
}

function lineOf(value: object): Buffer {
  return Buffer.from(`${JSON.stringify(value)}\n`);
}

async function writeDraft(draft: string, content: AsyncGenerator<Buffer>): Promise<void> {
  const file = await open(draft, 'wx', 0o600);
  await pipeline(Readable.from(content), createGzip({ level: GZIP_LEVEL }), file.createWriteStream({ flush: true }));
}

/** By link(2), which never replaces a file that is there. */
function publish(draft: string, path: string): void {
  try {
    linkSync(draft, path);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') throw cause;
    throw new BackupError(`There is a file at ${path} already. Choose another name.`, { cause });
  }
}

async function findMissingKeys(client: pg.Client, tables: TableLine[], { keys }: StoredKeys): Promise<string[]> {
  const places = sealedColumns.filter(({ table, column }) =>
    tables.some((known) => known.table === table && known.columns.includes(column)),
  );
  const used = await listKeysInUse({ db: pinnedDb(client) }, places);
  return [...used].filter((id) => !keys.some((key) => key.id === id));
}
