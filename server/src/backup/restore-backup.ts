import { randomBytes } from 'node:crypto';
import { constants, copyFileSync, existsSync } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { migrate, migrationNames } from '../db/migrate.ts';
import { pinnedDb } from '../db/pinned-db.ts';
import type { Store, Tx } from '../db/pool.ts';
import { requeueRunningJobs } from '../jobs/recover-jobs.ts';
import type { Clock } from '../lib/clock.ts';
import type { ObjectStore } from '../objects/object-store.ts';
import { updateKeys, type StoredKeys } from '../secrets/stored-keys.ts';
import { BackupError, type BackupHeader } from './backup-format.ts';
import type { BackupPart } from './backup-parts.ts';
import { useFixedFormats } from './backup-store.ts';
import { readBackup, verifyBackup } from './read-backup.ts';
import { ObjectRestorer } from './restore-objects.ts';
import { doubtStandbys } from './doubt-standbys-store.ts';
import { keepLeaders } from './keep-leaders-store.ts';
import { renewRoutes } from './renew-routes-store.ts';
import {
  checkReferences,
  copyIn,
  countRows,
  currentSchema,
  deferReferences,
  keepObjects,
  listTableNames,
  listTablesInUse,
  moveSchema,
  openSchemaBeside,
  setFreeSequences,
  setSequences,
} from './restore-store.ts';

export interface RestoreBackupOptions {
  store: Store;
  objects: ObjectStore;
  keyFile: string;
  clock: Clock;
  path: string;
  /** Without it, a store that somebody uses is left alone. */
  replace?: boolean;
}

export interface RestoreReport {
  /** When the backup was made, and by which Lilac. */
  createdAt: string;
  lilac: string;
  rows: Record<string, number>;
  /** How many were put back. */
  objects: number;
  /** Where those are that were not in the backup; null where all were. */
  objectsIn: string | null;
  /** Blobs that were damaged already when the backup was made; they are left out. */
  damagedObjects: string[];
  /** Tables of the backup that are not Lilac's: somebody keeps his own beside them. They are not touched. */
  ignored: string[];
  /** Where the key file from before lies, if there was one. */
  previousKeyFile: string | null;
}

/**
 * Puts a backup in the place of everything in the store. All of it is one transaction: killed at any
 * moment, the store is as it was before. Objects are written before it commits: those that no row comes
 * to name are swept like any other. The platform's processes must not run meanwhile, or be
 * restarted afterwards: they keep secrets of the installation in memory.
 */
export async function restoreBackup(options: RestoreBackupOptions): Promise<RestoreReport> {
  const header = await verifyBackup(options.path);
  requireKnownMigration(header);
  const client = options.store.newClient();
  await client.connect();
  try {
    const loaded = await pinnedDb(client)
      .transaction()
      .execute((tx) => restoreInto(tx, client, { ...options, header }));
    const { createdAt, lilac, objectsIn = null } = header;
    return { createdAt, lilac, objectsIn, ...loaded };
  } finally {
    await client.end();
  }
}

function requireKnownMigration({ migration, lilac }: BackupHeader): void {
  if (migrationNames().includes(migration)) return;
  throw new BackupError(
    `The backup was written by Lilac ${lilac}, whose store (${migration}) this Lilac does not know. Update this Lilac first.`,
  );
}

interface Restore extends RestoreBackupOptions {
  header: BackupHeader;
}

type Loaded = Pick<RestoreReport, 'rows' | 'ignored' | 'objects' | 'damagedObjects'>;
type Restored = Loaded & Pick<RestoreReport, 'previousKeyFile'>;

async function restoreInto(tx: Tx, client: pg.Client, restore: Restore): Promise<Restored> {
  await keepObjects(tx);
  const target = await currentSchema(tx);
  const beside = `lilac_restore_${randomBytes(6).toString('hex')}`;
  await migrate(tx);
  if (!restore.replace) await requireUnused(tx);
  // Before the commit: keys that nothing needs do no harm, a value without its key is lost.
  const previousKeyFile = await addKeys(restore, restore.header.keys);
  await openSchemaBeside(tx, { beside, target });
  await migrate(tx, { upTo: restore.header.migration, schema: beside });
  await useFixedFormats(client);
  await deferReferences(tx);
  const known = await listTableNames(tx, beside);
  const loaded = await load(client, { ...restore, schema: beside, known });
  await setSequences(tx, restore.header.sequences);
  await setFreeSequences(tx, beside, restore.header.freeSequences ?? []);
  await requeueRunningJobs(tx, 'It ran when the backup was made.');
  await checkReferences(tx);
  await migrate(tx, { schema: beside });
  await renewRoutes(tx, { beside, target });
  await doubtStandbys(tx, beside);
  await keepLeaders(tx, { beside, target });
  await moveSchema(tx, { beside, target });
  return { ...loaded, previousKeyFile };
}

async function requireUnused(tx: Tx): Promise<void> {
  const inUse = await listTablesInUse(tx);
  if (inUse.length === 0) return;
  throw new BackupError(
    `The store is in use: it holds ${await describeContent(tx, inUse)}. ` +
      'Restore into an empty one, or replace everything in it with --replace.',
  );
}

/** In words that people know; by the tables' names only where none of these is there. */
async function describeContent(tx: Tx, inUse: readonly string[]): Promise<string> {
  const people = await countRows(tx, 'users');
  const organisations = await countRows(tx, 'organisations');
  if (people + organisations === 0) return `something in ${inUse.join(', ')}`;
  return (
    `an installation with ${people} ${people === 1 ? 'person' : 'people'} ` +
    `and ${organisations} ${organisations === 1 ? 'organisation' : 'organisations'}`
  );
}

interface Load {
  path: string;
  objects: ObjectStore;
  schema: string;
  known: readonly string[];
}

async function load(client: pg.Client, { path, objects, schema, known }: Load): Promise<Loaded> {
  const rows: Record<string, number> = {};
  const ignored: string[] = [];
  const restorer = new ObjectRestorer(objects);
  const parts = readBackup(path);
  try {
    for (let next = await parts.next(); !next.done; next = await parts.next()) {
      const part = next.value;
      if (part.kind === 'object') await restorer.take(part.object, bytesOf(parts));
      else if (part.kind !== 'table') continue;
      else if (known.includes(part.table.table)) {
        const copy = copyIn(client, schema, part.table);
        await pipeline(Readable.from(rowsOf(parts)), copy);
        rows[part.table.table] = copy.rowCount;
      } else ignored.push(part.table.table);
    }
    await restorer.finish();
  } finally {
    await parts.return(undefined);
  }
  return { rows, ignored, objects: restorer.count, damagedObjects: restorer.damaged };
}

/** The bytes up to the end of the object. */
async function* bytesOf(parts: AsyncGenerator<BackupPart>): AsyncGenerator<Buffer> {
  for (let next = await parts.next(); !next.done && next.value.kind === 'bytes'; next = await parts.next()) {
    yield next.value.bytes;
  }
}

/** The rows up to the end of the table. */
async function* rowsOf(parts: AsyncGenerator<BackupPart>): AsyncGenerator<Buffer> {
  for (let next = await parts.next(); !next.done && next.value.kind === 'rows'; next = await parts.next()) {
    yield next.value.text;
  }
}

async function addKeys({ keyFile, clock }: RestoreBackupOptions, added: StoredKeys): Promise<string | null> {
  const now = clock.now().toISOString();
  const previous = existsSync(keyFile) ? `${keyFile}.before-restore-${now.replaceAll(/[:.]/g, '-')}` : null;
  if (previous) copyFileSync(keyFile, previous, constants.COPYFILE_EXCL);
  await updateKeys(keyFile, (stored) => {
    const unknown = added.keys.filter((key) => !stored.keys.some(({ id }) => id === key.id));
    const retired = unknown.map((key) => ({ ...key, retiredAt: now }));
    return { ...stored, keys: [...retired, ...stored.keys] };
  });
  return previous;
}
