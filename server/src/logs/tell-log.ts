import type { Severity } from '@lilac/contract/states';
import type { Tx } from '../db/pool.ts';
import { encodeEntries } from './log-chunk.ts';
import { appendChunks } from './log-store.ts';
import { makeSafe } from './make-safe.ts';

export interface OwnLine {
  environmentId: string;
  severity: Severity;
  message: string;
  /** The one it is about, if any. */
  deploymentId?: string | null;
}

/**
 * A line of the platform's own among those of the application. In the transaction of what it tells: a job that
 * is run again tells nothing twice, and nothing that did not happen. Before routes are published: whoever
 * appends to the same log waits for this transaction from here on. Harmless when the environment is gone.
 */
export async function tellLog(
  tx: Tx,
  { environmentId, severity, message, deploymentId = null }: OwnLine,
): Promise<void> {
  const entry = { atMs: Date.now(), severity, message: makeSafe(message), instanceId: null, deploymentId };
  await appendChunks(tx, [{ environmentId, chunks: await encodeEntries([entry]) }]);
}
