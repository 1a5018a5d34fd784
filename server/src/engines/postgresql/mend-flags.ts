import pg from 'pg';

const { escapeIdentifier: name } = pg;

/** Those that every server has; and one whose removal was cut off (-2) can only be removed. */
const SHUT = `
  select datname::text as name from pg_database
  where datname not in ('postgres', 'template0', 'template1')
    and (not datallowconn or datistemplate or datconnlimit = 0) and datconnlimit <> -2`;

/**
 * An owner may shut his database to everybody, himself and us included, and make a template of it, which cannot be
 * dropped. Nobody could be let in again then by anybody but us.
 */
export async function mendFlags(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(SHUT);
  for (const each of rows) {
    await client.query(
      `alter database ${name(each.name)} allow_connections true is_template false connection limit -1`,
    );
  }
}

/** What a server says of a database that its owner has shut. */
export const isShut = (error: unknown): boolean => {
  const { code, message = '' } = error as { code?: unknown; message?: string };
  return code === '55000' || (code === '53300' && message.includes('for database'));
};
