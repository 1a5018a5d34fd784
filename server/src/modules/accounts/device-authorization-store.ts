import type { Selectable } from 'kysely';
import type { Db, Tx } from '../../db/pool.ts';
import type { DeviceAuthorizationsTable } from '../../db/schema.ts';

export type DeviceAuthorizationRow = Selectable<DeviceAuthorizationsTable>;

export interface NewDeviceAuthorization {
  deviceCodeHash: Buffer;
  userCode: string;
  clientId: string;
  address: string;
  userAgent: string | null;
  intervalSeconds: number;
  now: Date;
  expiresAt: Date;
}

/** False when the user code is taken. */
export async function insertDeviceAuthorization(db: Db, device: NewDeviceAuthorization): Promise<boolean> {
  const inserted = await db
    .insertInto('device_authorizations')
    .values({
      device_code_hash: device.deviceCodeHash,
      user_code: device.userCode,
      client_id: device.clientId,
      address: device.address,
      user_agent: device.userAgent,
      interval_seconds: device.intervalSeconds,
      created_at: device.now,
      expires_at: device.expiresAt,
    })
    .onConflict((conflict) => conflict.column('user_code').doNothing())
    .returning('user_code')
    .executeTakeFirst();
  return inserted !== undefined;
}

/** For the length of a poll: two at once could both find it approved. */
export function lockDeviceAuthorization(
  tx: Tx,
  { deviceCodeHash, clientId }: { deviceCodeHash: Buffer; clientId: string },
): Promise<DeviceAuthorizationRow | undefined> {
  return tx
    .selectFrom('device_authorizations')
    .selectAll()
    .where('device_code_hash', '=', deviceCodeHash)
    .where('client_id', '=', clientId)
    .forUpdate()
    .executeTakeFirst();
}

export async function recordPoll(
  tx: Tx,
  { deviceCodeHash, intervalSeconds, now }: { deviceCodeHash: Buffer; intervalSeconds: number; now: Date },
): Promise<void> {
  await tx
    .updateTable('device_authorizations')
    .set({ last_polled_at: now, interval_seconds: intervalSeconds })
    .where('device_code_hash', '=', deviceCodeHash)
    .execute();
}

export async function consumeDeviceAuthorization(tx: Tx, deviceCodeHash: Buffer): Promise<void> {
  await tx
    .updateTable('device_authorizations')
    .set({ state: 'consumed' })
    .where('device_code_hash', '=', deviceCodeHash)
    .execute();
}

export function findPendingDevice(db: Db, userCode: string, now: Date): Promise<DeviceAuthorizationRow | undefined> {
  return db
    .selectFrom('device_authorizations')
    .selectAll()
    .where('user_code', '=', userCode)
    .where('state', '=', 'pending')
    .where('expires_at', '>', now)
    .executeTakeFirst();
}

/** False when there is nothing to decide, or another decision came first. */
export async function decidePendingDevice(
  db: Db,
  { userCode, userId, state, now }: { userCode: string; userId: string; state: 'approved' | 'denied'; now: Date },
): Promise<boolean> {
  const decided = await db
    .updateTable('device_authorizations')
    .set({ state, user_id: userId })
    .where('user_code', '=', userCode)
    .where('state', '=', 'pending')
    .where('expires_at', '>', now)
    .returning('user_code')
    .executeTakeFirst();
  return decided !== undefined;
}

/** Takes back what the person approved and the device has not fetched. */
export async function denyUnclaimedDevices(tx: Tx, userId: string): Promise<void> {
  await tx
    .updateTable('device_authorizations')
    .set({ state: 'denied' })
    .where('user_id', '=', userId)
    .where('state', '=', 'approved')
    .execute();
}

export async function deleteDeviceAuthorizations(db: Db, expiredBefore: Date): Promise<void> {
  await db.deleteFrom('device_authorizations').where('expires_at', '<=', expiredBefore).execute();
}
