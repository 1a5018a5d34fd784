import type { Db } from '../../db/pool.ts';
import type { EnvironmentRow } from '../../db/schema.ts';
import { findLastFailure } from '../deployments/deployment-store.ts';

/** Why it is not healthy, for a person: its instances, or else what was to be released last. */
export async function troubleOf(db: Db, { id, status, trouble }: EnvironmentRow): Promise<string | null> {
  if (trouble !== null || (status !== 'degraded' && status !== 'failed')) return trouble;
  const failed = await findLastFailure(db, id);
  return failed && `The last deployment failed (${failed.id}): ${failed.error ?? 'its log says why.'}`;
}
