import { sql } from 'kysely';
import { escapeIdentifier } from 'pg';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { COLLECTION_HOLD } from '../db/collection-hold.ts';
import type { Tx } from '../db/pool.ts';
import {
  derivedTables,
  migratorTables,
  selfMadeTables,
  type FreeSequenceValue,
  type SequenceValue,
  type TableLine,
} from './backup-format.ts';
import { listOf } from './backup-store.ts';

/** The tables in which somebody has put something. */
export async function listTablesInUse(tx: Tx): Promise<string[]> {
  const ignored = [...derivedTables, ...migratorTables, ...selfMadeTables];
  const inUse: string[] = [];
  for (const table of await listTableNames(tx, await currentSchema(tx))) {
    if (ignored.includes(table)) continue;
    const { rows } = await sql`select 1 from ${sql.table(table)} limit 1`.execute(tx);
    if (rows.length > 0) inUse.push(table);
  }
  return inUse;
}

export async function countRows(tx: Tx, table: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from ${sql.table(table)}`.execute(tx);
  return rows[0]!.count;
}

export async function currentSchema(tx: Tx): Promise<string> {
  const { rows } = await sql<{ schema: string }>`select current_schema() as schema`.execute(tx);
  return rows[0]!.schema;
}

/** A schema beside the one in use; unqualified names mean it from here to `moveSchema`. */
export async function openSchemaBeside(tx: Tx, { beside, target }: { beside: string; target: string }): Promise<void> {
  await sql`create schema ${sql.id(beside)}`.execute(tx);
  await useSchemas(tx, [beside, target]);
}

/** Takes rows as COPY text. */
export function copyIn(client: pg.Client, schema: string, { table, columns }: TableLine) {
  const name = `${escapeIdentifier(schema)}.${escapeIdentifier(table)}`;
  return client.query(copyFrom(`copy ${name} (${listOf(columns)}) from stdin`));
}

/** Tables come in any order, so references are checked when all are there. */
export async function deferReferences(tx: Tx): Promise<void> {
  await sql`set constraints all deferred`.execute(tx);
}

export async function checkReferences(tx: Tx): Promise<void> {
  await sql`set constraints all immediate`.execute(tx);
}

export async function setSequences(tx: Tx, sequences: readonly SequenceValue[]): Promise<void> {
  for (const { table, column, last } of sequences) {
    if (last === null) continue;
    await sql`select setval(pg_get_serial_sequence(${escapeIdentifier(table)}, ${column}), ${last}::bigint)`.execute(
      tx,
    );
  }
}

export async function setFreeSequences(tx: Tx, schema: string, sequences: readonly FreeSequenceValue[]): Promise<void> {
  const known = await listFreeSequences(tx, schema);
  for (const { name, last } of sequences) {
    if (last === null || !known.includes(name)) continue;
    await sql`select setval(format('%I.%I', ${schema}::text, ${name}::text)::regclass, ${last}::bigint)`.execute(tx);
  }
}

/** Until the transaction ends no object is deleted, whoever finds it named by no row. */
export async function keepObjects(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock_shared(${COLLECTION_HOLD})`.execute(tx);
}

/** Puts what was built beside in the place of what is in use. Other tables that live there are left alone. */
export async function moveSchema(tx: Tx, { beside, target }: { beside: string; target: string }): Promise<void> {
  await useSchemas(tx, [target]);
  const tables = await listTableNames(tx, beside);
  const functions = await listFunctions(tx, beside);
  const old = sql.join(tables.map((table) => sql.id(target, table)));
  await sql`drop table if exists ${old} cascade`.execute(tx);
  const signatures = functions.map(({ name, parameters }) => sql`${sql.id(name)}(${sql.raw(parameters)})`);
  // Together: one may be made of another.
  const oldFunctions = signatures.map((signature) => sql`${sql.id(target)}.${signature}`);
  if (oldFunctions.length > 0) await sql`drop function if exists ${sql.join(oldFunctions)}`.execute(tx);
  for (const signature of signatures) {
    await sql`alter function ${sql.id(beside)}.${signature} set schema ${sql.id(target)}`.execute(tx);
  }
  for (const name of await listFreeSequences(tx, beside)) {
    await sql`drop sequence if exists ${sql.id(target, name)}`.execute(tx);
    await sql`alter sequence ${sql.id(beside, name)} set schema ${sql.id(target)}`.execute(tx);
  }
  for (const table of tables) {
    await sql`alter table ${sql.id(beside, table)} set schema ${sql.id(target)}`.execute(tx);
    await sql`analyze ${sql.id(target, table)}`.execute(tx);
  }
  // Fails, and with it the restore, if anything was left there.
  await sql`drop schema ${sql.id(beside)}`.execute(tx);
}

async function useSchemas(tx: Tx, schemas: readonly string[]): Promise<void> {
  const path = schemas.map((schema) => escapeIdentifier(schema)).join(', ');
  await sql`select set_config('search_path', ${path}, true)`.execute(tx);
}

export async function listTableNames(tx: Tx, schema: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class c
    where relnamespace = ${schema}::regnamespace and relkind in ('r', 'p') and not relispartition
      and not exists (select 1 from pg_depend d where d.objid = c.oid and d.deptype = 'e')
    order by 1`.execute(tx);
  return rows.map(({ name }) => name);
}

async function listFreeSequences(tx: Tx, schema: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select s.relname as name from pg_class s
    where s.relkind = 'S' and s.relnamespace = ${schema}::regnamespace
      and not exists (select 1 from pg_depend d where d.objid = s.oid and d.deptype in ('i', 'a', 'e'))`.execute(tx);
  return rows.map(({ name }) => name);
}

async function listFunctions(tx: Tx, schema: string): Promise<{ name: string; parameters: string }[]> {
  const { rows } = await sql<{ name: string; parameters: string }>`
    select proname as name, pg_get_function_identity_arguments(oid) as parameters from pg_proc
    where pronamespace = ${schema}::regnamespace`.execute(tx);
  return rows;
}
