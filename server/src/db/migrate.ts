import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { Migrator, type Migration } from 'kysely/migration';
import type { Db } from './pool.ts';

const directory = join(import.meta.dirname, 'migrations');

export interface MigrateOptions {
  /** Stops after this migration; otherwise goes to the newest. */
  upTo?: string;
  /** Where the migrator keeps its own tables, when not in the default schema. */
  schema?: string;
}

/**
 * Brings the store to the newest schema. Forward only; safe to call from every process at once,
 * since the migrator holds a lock in the store while it works. Within a transaction it joins it.
 */
export async function migrate(db: Db, { upTo, schema }: MigrateOptions = {}): Promise<string[]> {
  const migrator = newMigrator(db, schema);
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

function newMigrator(db: Db, schema?: string): Migrator {
  const migrations = Object.fromEntries(migrationNames().map((name) => [name, fromFile(name)]));
  const provider = { getMigrations: () => Promise.resolve(migrations) };
  return new Migrator({ db, provider, migrationTableSchema: schema });
}

function fromFile(name: string): Migration {
  return {
    async up(db) {
      await sql.raw(readFileSync(join(directory, `${name}.sql`), 'utf8')).execute(db);
    },
  };
}
