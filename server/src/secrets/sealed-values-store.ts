import { sql } from 'kysely';
import type { Store } from '../db/pool.ts';
import { sealedColumns, type SealedColumn } from './sealed-columns.ts';

export interface SealedRow {
  row: string;
  sealed: string;
}

/** Rows whose value is sealed with another key than the given one, in the order of their names. */
export async function listSealedByOtherKeys(
  store: Pick<Store, 'db'>,
  place: SealedColumn,
  { keyId, after, limit }: { keyId: string; after: string; limit: number },
): Promise<SealedRow[]> {
  const { row, column, table } = refsOf(place);
  const { rows } = await sql<SealedRow>`
    select ${row}::text as row, ${column} as sealed from ${table}
    where ${keyOf(column)} <> ${keyId} and ${row}::text > ${after}
    order by ${row}::text limit ${limit}`.execute(store.db);
  return rows;
}

/** Leaves alone what somebody has changed in the meantime. */
export async function replaceSealed(
  store: Pick<Store, 'db'>,
  place: SealedColumn,
  changes: readonly (SealedRow & { resealed: string })[],
): Promise<number> {
  const { row, column, table } = refsOf(place);
  const result = await sql`
    update ${table} set ${sql.ref(place.column)} = change.resealed
    from unnest(
      ${changes.map((change) => change.row)}::text[],
      ${changes.map((change) => change.sealed)}::text[],
      ${changes.map((change) => change.resealed)}::text[]
    ) as change (row, sealed, resealed)
    where ${row}::text = change.row and ${column} = change.sealed`.execute(store.db);
  return Number(result.numAffectedRows ?? 0n);
}

/** A store of an older schema has only some of the places. */
export async function listKeysInUse(
  store: Pick<Store, 'db'>,
  places: readonly SealedColumn[] = sealedColumns,
): Promise<Set<string>> {
  const used = new Set<string>();
  for (const place of places) {
    const { column, table } = refsOf(place);
    const { rows } = await sql<{ key: string }>`
      select distinct ${keyOf(column)} as key from ${table} where ${column} is not null`.execute(store.db);
    for (const { key } of rows) used.add(key);
  }
  return used;
}

function refsOf({ table, column, row }: SealedColumn) {
  return { table: sql.table(table), column: sql.ref(`${table}.${column}`), row: sql.ref(`${table}.${row}`) };
}

/** The second part of `v1.<key id>.…`. */
function keyOf(column: ReturnType<typeof sql.ref>) {
  return sql<string>`split_part(${column}, '.', 2)`;
}
