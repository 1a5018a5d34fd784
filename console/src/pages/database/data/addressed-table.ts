import type { Table } from './data-tab.tsx';

/** As the address has them; empty where it has none. */
export interface TableAddress {
  schema: string;
  name: string;
}

type Placed = Pick<Table, 'schema' | 'name'>;

/** The table that an address means: the first where it names none, and null where it names one that is not there. */
export function findTable<T extends Placed>(tables: readonly T[], { schema, name }: TableAddress): T | null {
  if (name === '') return tables[0] ?? null;
  return tables.find((table) => table.name === name && (schema === '' || table.schema === schema)) ?? null;
}

export function nameAddress({ schema, name }: TableAddress): string {
  return schema === '' ? name : `${schema}.${name}`;
}

/** With its schema, unless all of them are where tables usually are. MySQL has no schemas within a database. */
export function nameTable(
  { schema, name }: Placed,
  { among, engine }: { among: readonly Placed[]; engine: 'postgresql' | 'mysql' },
): string {
  const isUsual = engine === 'mysql' || schema === 'public';
  const isOnly = among.every((table) => table.schema === schema);
  return isUsual && isOnly ? name : `${schema}.${name}`;
}
