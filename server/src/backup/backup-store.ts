import { escapeIdentifier } from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import type pg from 'pg';
import { COLLECTION_HOLD } from '../db/collection-hold.ts';
import {
  derivedTables,
  migratorTables,
  type FreeSequenceValue,
  type SequenceValue,
  type TableLine,
} from './backup-format.ts';

/** Until the connection ends, no object that a row names is deleted, and no migration begins. */
export async function holdObjects(client: pg.Client): Promise<void> {
  await client.query('select pg_advisory_lock_shared($1)', [COLLECTION_HOLD]);
}

/** One look at the store: everything read through it is of the same moment. */
export async function beginSnapshot(client: pg.Client): Promise<void> {
  await client.query('begin isolation level repeatable read read only');
  await useFixedFormats(client);
}

/** COPY writes and reads values as these settings say; the server's own may differ from one to the next. */
export async function useFixedFormats(client: pg.Client): Promise<void> {
  await client.query(`
    set local client_encoding = 'UTF8';
    set local datestyle = 'ISO, YMD';
    set local intervalstyle = 'postgres';
    set local timezone = 'UTC';
    set local extra_float_digits = 1;
    set local bytea_output = 'hex'`);
}

/** Every table of the schema with the columns that hold data of their own, parents of partitions standing for them. */
export async function listTables(client: pg.Client): Promise<TableLine[]> {
  const { rows } = await client.query<TableLine>(
    `select c.relname as table, array_agg(a.attname::text order by a.attnum) as columns
     from pg_class c join pg_attribute a on a.attrelid = c.oid
     where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
       and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' and not c.relname = any ($1)
       and not exists (select 1 from pg_depend d where d.objid = c.oid and d.deptype = 'e')
     group by c.relname order by c.relname`,
    [[...derivedTables, ...migratorTables]],
  );
  return rows;
}

export async function readSequences(client: pg.Client): Promise<SequenceValue[]> {
  const { rows } = await client.query<SequenceValue>(
    `select c.relname as table, a.attname as column, pg_sequence_last_value(s.oid)::text as last
     from pg_depend d
     join pg_class s on s.oid = d.objid and s.relkind = 'S'
     join pg_class c on c.oid = d.refobjid and c.relnamespace = current_schema()::regnamespace
     join pg_attribute a on a.attrelid = c.oid and a.attnum = d.refobjsubid
     where d.classid = 'pg_class'::regclass and d.refclassid = 'pg_class'::regclass and d.deptype in ('i', 'a')
     order by 1, 2`,
  );
  return rows;
}

/** Sequences that belong to no column. */
export async function readFreeSequences(client: pg.Client): Promise<FreeSequenceValue[]> {
  const { rows } = await client.query<FreeSequenceValue>(
    `select s.relname as name, pg_sequence_last_value(s.oid)::text as last
     from pg_class s
     where s.relkind = 'S' and s.relnamespace = current_schema()::regnamespace
       and not exists (select 1 from pg_depend d where d.objid = s.oid and d.deptype in ('i', 'a', 'e'))
     order by 1`,
  );
  return rows;
}

/** A table's rows as COPY text, a stream. */
export function copyOut(client: pg.Client, { table, columns }: TableLine) {
  return client.query(copyTo(`copy ${escapeIdentifier(table)} (${listOf(columns)}) to stdout`));
}

export function listOf(columns: readonly string[]): string {
  return columns.map((column) => escapeIdentifier(column)).join(', ');
}
