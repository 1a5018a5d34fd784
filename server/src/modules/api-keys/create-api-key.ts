import type { KeyRole } from '@lilac/contract/permissions';
import type { Db } from '../../db/pool.ts';
import type { ApiKeyRow } from '../../db/schema.ts';
import type { SessionCaller } from '../../http/handler.ts';
import { invalid } from '../../lib/fault.ts';
import { newId } from '../../lib/ids.ts';
import { recordActivity } from '../activity/record-activity.ts';
import { insertApiKey } from './api-key-store.ts';
import { mintApiKey } from './api-key.ts';

export interface ApiKeyToCreate {
  organisationId: string;
  name: string;
  role: KeyRole;
  expiresAt: string | undefined;
  caller: SessionCaller;
}

export async function createApiKey(
  db: Db,
  { organisationId, name, role, expiresAt, caller }: ApiKeyToCreate,
  now: Date,
): Promise<{ row: ApiKeyRow; secret: string }> {
  const expiry = expiresAt === undefined ? null : futureDate(expiresAt, now);
  const key = mintApiKey();
  const row = await db.transaction().execute(async (tx) => {
    const inserted = await insertApiKey(tx, {
      id: newId('key'),
      public_id: key.publicId,
      organisation_id: organisationId,
      name: name.trim(),
      prefix: key.prefix,
      role,
      secret_hash: key.secretHash,
      created_by: caller.userId,
      expires_at: expiry,
    });
    await recordActivity(tx, { organisationId, subject: inserted.name, action: 'api_key_created', caller });
    return inserted;
  });
  return { row, secret: key.text };
}

function futureDate(text: string, now: Date): Date {
  const date = new Date(text);
  // A date that is none compares false with everything.
  if (!(date > now)) throw invalid('expiresAt must be a time in the future; leave it out for a key without expiry.');
  return date;
}
