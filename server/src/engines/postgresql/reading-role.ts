import pg from 'pg';
import { confirmed } from './confirmed.ts';
import { connectAsPlatform } from './connect.ts';
import { EXPLORER_ROLE, READER_ROLE } from './host-based-access.ts';

const { escapeIdentifier: name } = pg;

/** Duplicate object, unique violation: another one has just made it. */
const IS_THERE = new Set(['42710', '23505']);

type ReadingRole = typeof READER_ROLE | typeof EXPLORER_ROLE;

/** From series 16 on: places are kept for those who have it. */
const KEPT_PLACES = 'pg_use_reserved_connections';

const since16: Record<ReadingRole, string> = {
  [READER_ROLE]: `grant ${KEPT_PLACES} to ${READER_ROLE}`,
  // No role has them to read that reads all else; and since that series nobody writes them in a transaction that reads.
  [EXPLORER_ROLE]: `alter role ${EXPLORER_ROLE} set lo_compat_privileges = on`,
};

/** With it come the catalogues that have passwords in them, so whoever reads for people has not got it. */
const ALL_DATA = 'pg_read_all_data';

/**
 * What a dump reads, and a statement that is to read only, runs in somebody's name: a view, a cast, a function. It may
 * be neither a superuser's, whose session cannot become less than that, nor the owner's, who could end the sessions of
 * his applications: so there are accounts that only read. The owner may take from them the right to come into the
 * database, and it is given back.
 */
export async function ensureReadingRole(
  home: string,
  { role, databaseName }: { role: ReadingRole; databaseName: string },
): Promise<void> {
  if (await isThere(home, role, databaseName)) return;
  await confirmed(home, async ({ client }) => {
    try {
      await client.query(`create role ${role} login`);
    } catch (error) {
      if (!IS_THERE.has((error as { code?: string }).code ?? '')) throw error;
    }
    await client.query(`alter role ${role} login nosuperuser bypassrls connection limit -1 password null`);
    await client.query(role === READER_ROLE ? `grant ${ALL_DATA} to ${role}` : `revoke ${ALL_DATA} from ${role}`);
    const { rowCount } = await client.query('select from pg_roles where rolname = $1', [KEPT_PLACES]);
    if (rowCount === 1) await client.query(since16[role]);
    await client.query(`grant connect on database ${name(databaseName)} to ${role}`);
  });
}

async function isThere(home: string, role: ReadingRole, databaseName: string): Promise<boolean> {
  await using session = await connectAsPlatform(home);
  const { rowCount } = await session.client.query(
    `select from pg_roles r
     where rolname = $1 and rolcanlogin and rolbypassrls and not rolsuper
       and pg_has_role(r.oid, '${ALL_DATA}', 'usage') = $4 and has_database_privilege(r.oid, $2, 'connect')
       and coalesce(pg_has_role(r.oid, (select oid from pg_roles where rolname = $3), 'usage'), true)`,
    [role, databaseName, role === READER_ROLE ? KEPT_PLACES : null, role === READER_ROLE],
  );
  return rowCount === 1;
}
