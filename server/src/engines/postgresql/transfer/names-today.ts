import type pg from 'pg';
import { nameOf } from './tables.ts';

/** How a table or a sequence is called at this moment. */
export interface PlaceToday {
  /** As a statement names it. */
  name: string;
  /** Changes whenever the schema is renamed, also where it has its old name again. */
  mark: string;
}

/** By their number; without those that are no more. Outside of a transaction, so that they are those of this moment. */
export async function placesToday(aside: pg.Client, oids: readonly string[]): Promise<Map<string, PlaceToday>> {
  const { rows } = await aside.query<{ oid: string; schema: string; name: string; mark: string }>(
    `select c.oid::text as oid, n.nspname as schema, c.relname as name, n.oid::text || ' ' || n.xmin::text as mark
     from pg_class c join pg_namespace n on n.oid = c.relnamespace where c.oid = any($1::oid[])`,
    [oids],
  );
  return new Map(rows.map((row) => [row.oid, { name: nameOf(row), mark: `${row.mark} ${nameOf(row)}` }]));
}

/** All schemas of the customer, as one text to compare. */
export async function readSchemas(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ oid: string; name: string; mark: string }>(
    `select oid::text as oid, nspname as name, xmin::text as mark from pg_namespace
     where nspname !~ '^pg_' order by pg_namespace.oid`,
  );
  return JSON.stringify(rows);
}
