import type { Store } from '../server/src/db/pool.ts';
import { COMPLETION_GRACE_MS } from '../server/src/modules/uploads/upload.ts';

/** Everything that the store says is on its way somewhere, in words. */
export async function readMoving({ pool }: Pick<Store, 'pool'>): Promise<string[]> {
  const { rows } = await pool.query<{ what: string }>(MOVING);
  return rows.map(({ what }) => what);
}

/**
 * Jobs of every hour are always on their way, and so is what is due much later. What a deployment packs moves as long
 * as that does. An upload may wait until nobody could complete it any more. The step of a database that failed stays:
 * it tells where.
 */
const MOVING = `
  select format('deployment %s is %s', id, status) as what from deployments
  where status in ('pending', 'building', 'deploying')
  union all
  select format('environment %s is %s', id, status) from environments where status in ('pending', 'deploying', 'deleting')
  union all
  select format('application %s is %s', id, status) from applications
  where status in ('pending', 'building', 'deploying', 'deleting')
  union all
  select format('artifact %s is %s, and nobody builds', id, state) from artifacts a
  where state = 'packing' and not exists (
    select from deployments d
    where d.environment_id = a.environment_id and d.status in ('pending', 'building', 'deploying'))
  union all
  select format('upload %s is %s, until %s', id, status, expires_at) from uploads
  where status = 'reserved' and expires_at < now() - interval '${COMPLETION_GRACE_MS} milliseconds'
  union all
  select format('database %s is %s', id, status) from databases where status in ('provisioning', 'updating', 'deleting')
  union all
  select format('database %s is %s, at the step "%s"', id, status, step) from databases
  where status in ('healthy', 'degraded') and step <> 'settled'
  union all
  select format('backup %s is %s', id, status) from database_backups where status in ('waiting', 'writing')
  union all
  select format('job %s of %s is %s, attempt %s: %s', id, kind, state, attempt, error) from jobs
  where state in ('queued', 'running') and coalesce(lane, '') not like 'periodic %' and run_at < now() + interval '2 minutes'`;
