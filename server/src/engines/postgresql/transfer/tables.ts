import pg from 'pg';

/** A table with rows of its own: partitioned ones have none. */
export interface Table {
  oid: string;
  schema: string;
  name: string;
  /** In their order; without those that are computed. */
  columns: string[];
  /**
   * Where its rows go when they are loaded: to the table itself, or to the one that it is a part of. In which of several
   * parts a row belongs by its hash may be different in another database: the hash of an enumeration's value is.
   */
  target: { schema: string; name: string };
}

const { escapeIdentifier } = pg;

export const nameOf = ({ schema, name }: { schema: string; name: string }): string =>
  `${escapeIdentifier(schema)}.${escapeIdentifier(name)}`;

/** What belongs to the customer: not to the system, not to an extension, not to a session. */
export const isCustomers = (relation: string, namespace: string): string => `
  ${relation}.relpersistence <> 't'
  and ${namespace}.nspname !~ '^pg_' and ${namespace}.nspname <> 'information_schema'
  and not exists (
    select from pg_depend
    where classid = 'pg_class'::regclass and objid = ${relation}.oid and deptype = 'e'
  )`;

export async function readTables(client: pg.Client): Promise<Table[]> {
  const { rows } = await client.query<Omit<Table, 'target'> & { targetSchema: string; targetName: string }>(`
    select
      c.oid::text as oid,
      n.nspname as schema,
      c.relname as name,
      array(
        select attname::text from pg_attribute
        where attrelid = c.oid and attnum > 0 and not attisdropped and attgenerated = ''
        order by attnum
      ) as columns,
      tn.nspname as "targetSchema",
      t.relname as "targetName"
    from pg_class c
    join pg_namespace n on n.oid = c.relnamespace
    join pg_class t on t.oid = case
      when c.relispartition and exists (
        select from pg_partition_ancestors(c.oid) a join pg_partitioned_table p on p.partrelid = a.relid
        where p.partstrat = 'h'
      ) then pg_partition_root(c.oid)
      else c.oid
    end
    join pg_namespace tn on tn.oid = t.relnamespace
    where c.relkind = 'r' and ${isCustomers('c', 'n')}
    order by n.nspname, c.relname`);
  return rows.map(({ targetSchema, targetName, ...table }) => ({
    ...table,
    target: { schema: targetSchema, name: targetName },
  }));
}
