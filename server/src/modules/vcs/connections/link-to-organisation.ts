import type { Tx } from '../../../db/pool.ts';
import type { VcsConnectionRow } from '../../../db/schema.ts';
import type { Doer } from '../../activity/activity.ts';
import { recordActivity } from '../../activity/record-activity.ts';
import { listWaitingForPushes } from '../hooks/hook-store.ts';
import { enqueueHooks } from '../hooks/job-kinds.ts';
import { keepOrganisationsUsing, linkConnection } from './connection-link-store.ts';

export interface Linking {
  organisationId: string;
  connection: VcsConnectionRow;
  caller: Doer;
}

/**
 * Lets an organisation use a connection; what it deploys on push from that host then hears of pushes. False when the
 * person whose connection it is does not belong to the organisation.
 */
export async function linkToOrganisation(tx: Tx, { organisationId, connection, caller }: Linking): Promise<boolean> {
  const linked = await linkConnection(tx, { organisationId, connection });
  if (linked === null) return false;
  if (linked === 'linked') {
    const subject = connection.account_login;
    await recordActivity(tx, { organisationId, subject, action: 'connection_linked', caller });
  }
  // Also where it was linked before: somebody who connects again mends what their lost access had prevented.
  const { provider } = connection;
  for (const using of await keepOrganisationsUsing(tx, connection.id)) {
    const waiting = await listWaitingForPushes(tx, { organisationId: using, provider });
    for (const { id: applicationId } of waiting) await enqueueHooks(tx, { applicationId });
  }
  return true;
}
