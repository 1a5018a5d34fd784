import type { Db } from '../../db/pool.ts';
import type { Caller } from '../../http/handler.ts';
import { notFound } from '../../lib/fault.ts';
import { recordActivity } from '../activity/record-activity.ts';
import { lockApiKey, markRevoked } from './api-key-store.ts';

export interface Revocation {
  organisationId: string;
  keyId: string;
  caller: Caller;
  now: Date;
}

/** A key that was revoked before keeps its time. */
export function revokeApiKey(db: Db, { organisationId, keyId, caller, now }: Revocation): Promise<void> {
  return db.transaction().execute(async (tx) => {
    const key = await lockApiKey(tx, { organisationId, keyId });
    if (!key) throw notFound('API key');
    if (key.revoked_at !== null) return;
    await markRevoked(tx, keyId, now);
    await recordActivity(tx, { organisationId, subject: key.name, action: 'api_key_revoked', caller });
  });
}
