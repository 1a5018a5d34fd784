import { sql } from 'kysely';
import type { Db, Tx } from '../../db/pool.ts';
import { holdDeployment } from './deployment-store.ts';

/** Goes after what is there. Harmless when the deployment is gone. */
export async function appendLines(db: Db | Tx, deploymentId: string, lines: readonly string[]): Promise<void> {
  await sql`
    insert into deployment_log_chunks (deployment_id, number, lines)
    select id, coalesce((select max(number) + 1 from deployment_log_chunks where deployment_id = id), 0),
      ${lines}::text[]
    from deployments where id = ${deploymentId} for key share`.execute(db);
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
