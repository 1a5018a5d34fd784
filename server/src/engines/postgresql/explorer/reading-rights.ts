import pg from 'pg';
import { EngineRefused } from '../../engine.ts';
import type { ExplorerAccess } from '../../explorer.ts';
import { connectAsPlatform } from '../connect.ts';
import { EXPLORER_ROLE } from '../host-based-access.ts';
import { ensureReadingRole } from '../reading-role.ts';

const { escapeIdentifier: name } = pg;

/** Everybody who reads comes as the same account, and could end what others have running. */
const ENDING = `
  select p.oid from pg_proc p
  where p.pronamespace = 'pg_catalog'::regnamespace and p.proname in ('pg_terminate_backend', 'pg_cancel_backend')
    and has_function_privilege('${EXPLORER_ROLE}', p.oid, 'execute')`;

const NOT_OURS = String.raw`n.nspname !~ '^pg_' and n.nspname <> 'information_schema'`;

/** What the owner can look into and the account cannot. */
const SCHEMAS = `
  select n.nspname from pg_namespace n
  where ${NOT_OURS} and has_schema_privilege($1::text, n.oid, 'usage')
    and not has_schema_privilege('${EXPLORER_ROLE}', n.oid, 'usage')`;
const TABLES = `
  select n.nspname, c.relname, c.relkind in ('r', 'p') as is_table
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where ${NOT_OURS} and c.relkind in ('r', 'p', 'v', 'm', 'f', 'S') and has_table_privilege($1::text, c.oid, 'select')
    and not has_table_privilege('${EXPLORER_ROLE}', c.oid, 'select')`;

/** What is lost of it with the machine is given again. Nobody is waited for: who changes a table may have it for long. */
const GIVING = { synchronous_commit: 'off', lock_timeout: '100ms' };

/** Somebody else changes the same: another one who reads, most likely. */
const IN_BETWEEN = 'XX000';
const TRIES = 5;

export interface Settling {
  home: string;
  access: Pick<ExplorerAccess, 'databaseName' | 'user'>;
  signal: AbortSignal;
}

interface Rights {
  tooMany: boolean;
  tooFew: boolean;
}

/**
 * The account that reads has rights to each table by itself. Who may read all data may read the catalogues that have
 * passwords in them, and who is a member of the owner may end the owner's sessions. So whatever was made meanwhile is
 * opened to it before it reads.
 */
export async function settleRights(client: pg.Client, settling: Settling): Promise<void> {
  for (let tries = 0; tries < TRIES; tries++) {
    const { tooMany, tooFew } = await rightsOf(client, settling.access.user);
    // What cannot be opened now is told by the statement that reads it.
    if (!tooMany && (!tooFew || tries > 1)) return;
    await change(settling).catch((error: unknown) => {
      if ((error as { code?: string }).code !== IN_BETWEEN) throw error;
    });
  }
  throw new EngineRefused('The account that reads cannot be set up now. Try again in a moment.');
}

async function rightsOf(client: pg.Client, user: string): Promise<Rights> {
  await client.query('begin read only; set local search_path = pg_catalog');
  const { rows } = await client.query<Rights>(
    `select pg_has_role('pg_read_all_data', 'usage') or exists (${ENDING}) as "tooMany",
       exists (${SCHEMAS}) or exists (${TABLES}) as "tooFew"`,
    [user],
  );
  await client.query('rollback');
  return rows[0]!;
}

async function change({ home, access: { databaseName, user }, signal }: Settling): Promise<void> {
  await ensureReadingRole(home, { role: EXPLORER_ROLE, databaseName });
  await using session = await connectAsPlatform(home, databaseName, { settings: GIVING });
  const { client } = session;
  const ask = async (text: string, values: string[] = []) =>
    (await client.query<{ statement: string }>(text, values)).rows.map(({ statement }) => statement);
  const taking = await ask(
    `select format('revoke execute on function %1$s from public; grant execute on function %1$s to %2$s',
       each.oid::regprocedure, $1::text) as statement from (${ENDING}) as each`,
    [name(user)],
  );
  for (const statement of taking) await client.query(statement);
  const giving = [
    ...(await ask(
      `select format('grant usage on schema %I to ${EXPLORER_ROLE}', nspname) as statement
       from (${SCHEMAS}) as each`,
      [user],
    )),
    ...(await ask(
      // Whoever is about to change it would fail if it was changed in between.
      `select case when is_table then format('lock table only %I.%I in access share mode; ', nspname, relname) else '' end
         || format('grant select on %I.%I to ${EXPLORER_ROLE}', nspname, relname) as statement
       from (${TABLES}) as each`,
      [user],
    )),
  ];
  for (const statement of giving) {
    signal.throwIfAborted();
    // It is gone, or is being changed.
    await client.query(statement).catch((error: unknown) => {
      if (!(error instanceof pg.DatabaseError)) throw error;
    });
  }
}
