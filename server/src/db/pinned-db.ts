import { Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient } from 'kysely';
import type pg from 'pg';
import type { Db } from './pool.ts';
import type { Database } from './schema.ts';

/** Queries on one given connection, which its owner also uses by hand: COPY has no other way. */
export function pinnedDb(client: pg.Client): Db {
  const connection = {
    query: (text: string, values?: readonly unknown[]) => client.query(text, values && [...values]),
    release: () => {},
  } as unknown as PostgresPoolClient;
  const pool: PostgresPool = { options: {}, connect: () => Promise.resolve(connection), end: () => Promise.resolve() };
  return new Kysely<Database>({ dialect: new PostgresDialect({ pool }) });
}
