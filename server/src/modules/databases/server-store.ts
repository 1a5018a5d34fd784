import { sql } from 'kysely';
import type { Db, Tx } from '../../db/pool.ts';
import type { DatabaseServerRow, ServerRole } from '../../db/schema.ts';

/** The primary first. */
export function serversOf(db: Db | Tx, databaseId: string): Promise<DatabaseServerRow[]> {
  return db.selectFrom('database_servers').selectAll().where('database_id', '=', databaseId).orderBy('role').execute();
}

export function allServers(db: Db): Promise<DatabaseServerRow[]> {
  return db.selectFrom('database_servers').selectAll().orderBy('id').execute();
}

export async function insertServer(
  tx: Tx,
  server: { id: string; database_id: string; role: ServerRole; port: number },
): Promise<void> {
  await tx.insertInto('database_servers').values(server).execute();
}

/** From now on it is whole: after a crash it is started, not made anew. */
export async function markMade(db: Db | Tx, id: string): Promise<void> {
  await db.updateTable('database_servers').set({ is_made: true }).where('id', '=', id).execute();
}

export async function removeServer(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('database_servers').where('id', '=', id).execute();
}

/** The standby becomes the primary; the old one's row must be gone before. */
export async function promoteServer(tx: Tx, id: string): Promise<void> {
  await tx.updateTable('database_servers').set({ role: 'primary', in_step: false }).where('id', '=', id).execute();
}

/** Its new port is where it listens from its next start on. */
export async function changeServerPort(tx: Tx, id: string, port: number): Promise<void> {
  await tx.updateTable('database_servers').set({ port }).where('id', '=', id).execute();
}

/** Whoever looks for a free port does so alone until the transaction ends: two tables hold ports. */
export async function holdPorts(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('lilac database ports'))`.execute(tx);
}

/** Every port that a database or one of its servers has, on this installation. */
export async function portsInUse(db: Db | Tx): Promise<Set<number>> {
  const [databases, servers] = [
    await db.selectFrom('databases').select('port').execute(),
    await db.selectFrom('database_servers').select('port').execute(),
  ];
  return new Set([...databases, ...servers].map(({ port }) => port));
}
