import type { Tx } from '../../db/pool.ts';
import { tellLog } from '../../logs/tell-log.ts';
import { findProduction } from '../environments/environment-store.ts';

/** A warning of the platform's own, in the log of production: where people look when nothing happens. */
export async function tellApplication(
  tx: Tx,
  { applicationId, message }: { applicationId: string; message: string },
): Promise<void> {
  const production = await findProduction(tx, applicationId);
  if (production) await tellLog(tx, { environmentId: production.id, severity: 'WARN', message });
}
