import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { Migrator, type Migration } from 'kysely/migration';
import { migrateInTurn, migrationTiming, type MigrationTiming } from './migrate-in-turn.ts';
import type { Db } from './pool.ts';

const directory = join(import.meta.dirname, 'migrations');

export interface MigrateOptions {
  /** Stops after this migration; otherwise goes to the newest. */
  upTo?: string;
  /** Where the migrator keeps its own tables, when not in the default schema. */
  schema?: string;
  /** Is told, again and again, why it is not done yet; what it throws ends the waiting. */
  onWait?: (why: string) => void;
  /** Ends the waiting. */
  signal?: AbortSignal;
  timing?: Partial<MigrationTiming>;
}

/**
 * Brings the store to the newest schema. Forward only; safe to call from every process at once, since one after
 * another does it, and beside whoever uses the store: see `migrateInTurn`. Within a transaction it joins it.
 */
export async function migrate(db: Db, options: MigrateOptions = {}): Promise<string[]> {
  if (db.isTransaction) return apply(db, options);
  const { upTo, onWait = () => {}, signal } = options;
  if (await isAt(db, upTo)) return [];
  const timing = { ...migrationTiming, ...options.timing };
  return db.connection().execute((session) => {
    const attempt = () => apply(session, { ...options, lockMs: timing.lockMs });
    return migrateInTurn(session, attempt, { timing, onWait, signal });
  });
}

async function apply(db: Db, { upTo, schema, lockMs }: MigrateOptions & { lockMs?: number }): Promise<string[]> {
  const migrator = newMigrator(db, { schema, lockMs });
  const { error, results } = upTo ? await migrator.migrateTo(upTo) : await migrator.migrateToLatest();
  if (error) throw error;
  return (results ?? []).map((result) => result.migrationName);
}

export function migrationNames(): string[] {
  return readdirSync(directory)
    .filter((file) => file.endsWith('.sql'))
    .map((file) => file.slice(0, -'.sql'.length))
    .toSorted();
}

/** The newest migration the store has had, or null on an empty one. */
export async function currentMigration(db: Db): Promise<string | null> {
  const all = await newMigrator(db).getMigrations();
  return all.findLast((migration) => migration.executedAt !== undefined)?.name ?? null;
}

/** Whoever finds nothing to do waits for nobody who has. */
async function isAt(db: Db, upTo = migrationNames().at(-1)): Promise<boolean> {
  const all = await newMigrator(db).getMigrations();
  return all.every(({ name, executedAt }) => executedAt !== undefined || name > upTo!);
}

interface MigratorOptions {
  schema?: string | undefined;
  /** How long a table is waited for. Left out: for as long as the transaction says. */
  lockMs?: number | undefined;
}

function newMigrator(db: Db, { schema, lockMs }: MigratorOptions = {}): Migrator {
  const migrations = Object.fromEntries(migrationNames().map((name) => [name, fromFile(name, lockMs)]));
  const provider = { getMigrations: () => Promise.resolve(migrations) };
  return new Migrator({ db, provider, migrationTableSchema: schema });
}

function fromFile(name: string, lockMs: number | undefined): Migration {
  return {
    async up(db) {
      if (lockMs !== undefined) await sql.raw(`set local lock_timeout = ${lockMs}`).execute(db);
      await sql.raw(readFileSync(join(directory, `${name}.sql`), 'utf8')).execute(db);
    },
  };
}
