import { sql } from 'kysely';
import type { Db, Tx } from '../../db/pool.ts';
import { DEPLOYMENT_CHANNEL, holdDeployment } from './deployment-store.ts';

/** Goes after what is there, and whoever follows is told. Harmless when the deployment is gone. */
export async function appendLines(db: Db | Tx, deploymentId: string, lines: readonly string[]): Promise<void> {
  await sql`
    insert into deployment_log_chunks (deployment_id, number, lines, end_line)
    select deployments.id, coalesce(last.number + 1, 0), ${lines}::text[],
      coalesce(last.end_line, 0) + ${lines.length}::integer
    from deployments
    left join lateral (
      select number, end_line from deployment_log_chunks
      where deployment_id = deployments.id order by number desc limit 1
    ) last on true
    where deployments.id = ${deploymentId} for key share of deployments
    returning pg_notify(${DEPLOYMENT_CHANNEL}, deployment_id)`.execute(db);
}

/** For who does not hold the deployment: two who append at the same moment take turns. */
export async function appendInTurn(db: Db, deploymentId: string, lines: readonly string[]): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await holdDeployment(tx, deploymentId);
    await appendLines(tx, deploymentId, lines);
  });
}

export async function readLines(db: Db, deploymentId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('deployment_log_chunks')
    .select('lines')
    .where('deployment_id', '=', deploymentId)
    .orderBy('number')
    .execute();
  return rows.flatMap((row) => row.lines);
}
