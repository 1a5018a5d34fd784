import type { Severity } from '@lilac/contract/states';
import type { Tx } from '../../db/pool.ts';
import type { Log } from '../../lib/log.ts';
import { tellLog } from '../../logs/tell-log.ts';
import type { Action } from '../activity/activity.ts';
import { recordActivity } from '../activity/record-activity.ts';
import { findHolder } from './certificate-store.ts';

export interface CertificateNews {
  action: Extract<Action, `certificate_${string}`>;
  severity: Severity;
  message: string;
}

/**
 * Tells those whose environment it is for: in their activity, and in the environment's log. Of the platform's own hosts
 * its log tells. Call it before the certificate is written in the same transaction: whoever changes a domain holds its
 * environment first, and its certificate then.
 */
export async function tellHolder(
  tx: Tx,
  { certificateId, log }: { certificateId: string; log: Log },
  { action, severity, message }: CertificateNews,
): Promise<void> {
  const holder = await findHolder(tx, certificateId);
  if (!holder) {
    if (severity === 'INFO') log.info(message);
    else log.warn(message);
    return;
  }
  const { hostname: detail, ...of } = holder;
  await recordActivity(tx, { ...of, action, detail, caller: 'platform' });
  await tellLog(tx, { environmentId: holder.environmentId, severity, message });
}
