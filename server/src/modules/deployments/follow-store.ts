import { sql } from 'kysely';
import type { Db } from '../../db/pool.ts';
import type { DeploymentRow } from '../../db/schema.ts';

export type FollowedDeployment = Pick<
  DeploymentRow,
  'status' | 'stage' | 'stages' | 'error' | 'created_at' | 'completed_at'
> & { is_live: boolean };

/** What is told of it to whoever follows it, often: what it was built of is left aside. */
export function findFollowed(db: Db, id: string): Promise<FollowedDeployment | undefined> {
  return db
    .selectFrom('deployments')
    .innerJoin('environments', 'environments.id', 'deployments.environment_id')
    .select(['deployments.status', 'stage', 'stages', 'error', 'deployments.created_at', 'completed_at'])
    .select(sql<boolean>`live_deployment_id is not distinct from deployments.id`.as('is_live'))
    .where('deployments.id', '=', id)
    .executeTakeFirst();
}

/** How many lines its log has. */
export async function countLines(db: Db, deploymentId: string): Promise<number> {
  const last = await db
    .selectFrom('deployment_log_chunks')
    .select('end_line')
    .where('deployment_id', '=', deploymentId)
    .orderBy('end_line', 'desc')
    .limit(1)
    .executeTakeFirst();
  return last?.end_line ?? 0;
}

export interface LinesRead {
  lines: string[];
  /** The number of the first of them. */
  firstLine: number;
  /** More lines may follow. */
  isMore: boolean;
}

/** So many at once are at most some thousand lines. */
const CHUNKS_AT_ONCE = 20;

/** The next lines of its log from the given number on. */
export async function readLinesFrom(db: Db, deploymentId: string, line: number): Promise<LinesRead> {
  const chunks = await db
    .selectFrom('deployment_log_chunks')
    .select(['lines', 'end_line'])
    .where('deployment_id', '=', deploymentId)
    .where('end_line', '>', line)
    .orderBy('end_line')
    .limit(CHUNKS_AT_ONCE)
    .execute();
  const [first] = chunks;
  const begin = first ? first.end_line - first.lines.length : line;
  const lines = chunks.flatMap((chunk) => chunk.lines).slice(Math.max(line - begin, 0));
  return { lines, firstLine: Math.max(line, begin), isMore: chunks.length === CHUNKS_AT_ONCE };
}
