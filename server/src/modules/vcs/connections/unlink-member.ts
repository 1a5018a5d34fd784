import type { Tx } from '../../../db/pool.ts';
import type { Doer } from '../../activity/activity.ts';
import { recordActivity } from '../../activity/record-activity.ts';
import { tellOfLoss } from '../tell-of-loss.ts';
import { listLinksOf, unlinkConnection } from './connection-link-store.ts';

export interface LeavingMember {
  organisationId: string;
  userId: string;
  caller: Doer;
}

/** What the organisation reached through somebody who leaves it goes with them, and is told. */
export async function unlinkMember(tx: Tx, { organisationId, userId, caller }: LeavingMember): Promise<void> {
  for (const { id: connectionId, provider, account_login: subject } of await listLinksOf(tx, {
    organisationId,
    userId,
  })) {
    await unlinkConnection(tx, { organisationId, provider, connectionId });
    await recordActivity(tx, { organisationId, subject, action: 'connection_unlinked', caller });
    await tellOfLoss(tx, { organisationId, provider, accountLogin: subject });
  }
}
