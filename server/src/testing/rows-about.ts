import type { TestApi } from './harness.ts';
import type { Settlement } from './settlement.ts';

interface TableRows {
  table: string;
  rows: unknown[];
}

/** Every row of the store that names an organisation, its owner, or anything that it has. */
export async function rowsAbout({ store }: TestApi, settlement: Settlement): Promise<TableRows[]> {
  const ids = idsIn(settlement).join('|');
  const tables = await tablesOf(store);
  return Promise.all(
    tables.map(async (table) => {
      const { rows } = await store.pool.query<{ row: unknown }>(
        `select to_jsonb(t) as row from "${table}" t where to_jsonb(t)::text ~ $1 order by to_jsonb(t)::text`,
        [ids],
      );
      return { table, rows: rows.map(({ row }) => row) };
    }),
  );
}

/** The tables whose rows are some organisation's, by their own column. */
export async function tablesOfOrganisations({ store }: TestApi): Promise<string[]> {
  const { rows } = await store.pool.query<{ name: string }>(
    `select table_name as name from information_schema.columns
     where table_schema = 'public' and column_name = 'organisation_id' order by 1`,
  );
  return rows.map(({ name }) => name);
}

async function tablesOf(store: TestApi['store']): Promise<string[]> {
  const { rows } = await store.pool.query<{ name: string }>(
    `select table_name as name from information_schema.tables
     where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`,
  );
  return rows.map(({ name }) => name);
}

/** Ids are letters, digits and underscores: nothing that a pattern would mind. */
function idsIn(value: unknown): string[] {
  if (typeof value === 'string') return /^[a-z]{2,3}_[0-9a-z]{26}$/.test(value) ? [value] : [];
  if (typeof value !== 'object' || value === null || value instanceof Date) return [];
  return [...new Set(Object.values(value).flatMap(idsIn))];
}
