import type { Db } from '../../../db/pool.ts';
import type { SessionCaller } from '../../../http/handler.ts';
import { notFound } from '../../../lib/fault.ts';
import { recordActivity } from '../../activity/record-activity.ts';
import { tellOfLoss } from '../tell-of-loss.ts';
import { keepOrganisationsUsing } from './connection-link-store.ts';
import { deleteConnection, lockOwnConnection } from './connection-store.ts';

export interface Disconnecting {
  provider: 'provider2' | 'provider3';
  connectionId: string;
  caller: SessionCaller;
}

/** A person takes their own connection away. Every organisation that loses it is told by its activity. */
export async function disconnect(db: Db, { provider, connectionId, caller }: Disconnecting): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const own = await lockOwnConnection(tx, { userId: caller.userId, provider, connectionId });
    if (!own) throw notFound('Connection');
    const subject = own.account_login;
    const using = await keepOrganisationsUsing(tx, connectionId);
    await deleteConnection(tx, connectionId);
    for (const organisationId of using) {
      await recordActivity(tx, { organisationId, subject, action: 'connection_disconnected', caller });
      await tellOfLoss(tx, { organisationId, provider, accountLogin: subject });
    }
  });
}
