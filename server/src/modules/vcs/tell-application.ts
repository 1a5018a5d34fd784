import type { Tx } from '../../db/pool.ts';
import { encodeEntries } from '../../logs/log-chunk.ts';
import { appendChunks } from '../../logs/log-store.ts';
import { makeSafe } from '../../logs/make-safe.ts';
import { findProduction } from '../environments/environment-store.ts';

/** A warning of the platform's own, in the log of production: where people look when nothing happens. */
export async function tellApplication(
  tx: Tx,
  { applicationId, message }: { applicationId: string; message: string },
): Promise<void> {
  const production = await findProduction(tx, applicationId);
  if (!production) return;
  const entry = { atMs: Date.now(), severity: 'WARN', instanceId: null, deploymentId: null } as const;
  const chunks = await encodeEntries([{ ...entry, message: makeSafe(message) }]);
  await appendChunks(tx, [{ environmentId: production.id, chunks }]);
}
