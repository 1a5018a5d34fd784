import { sha256 } from '../../lib/hash.ts';
import type { Tx } from '../../db/pool.ts';
import type { SessionDeps } from './accounts-deps.ts';
import { createSession, type TokenPair } from './create-session.ts';
import { consumeDeviceAuthorization, lockDeviceAuthorization, recordPoll } from './device-authorization-store.ts';
import { DEVICE_GRANT, deviceFault, judgePoll, type DeviceError } from './device-authorization.ts';
import { deviceLabel } from './device-label.ts';

export interface DeviceTokenRequest {
  grantType: string;
  deviceCode: string;
  clientId: string;
  address: string;
}

/** One poll of a device (RFC 8628, section 3.4): the tokens once it was approved, or why there are none. */
export async function redeemDeviceCode(deps: SessionDeps, request: DeviceTokenRequest): Promise<TokenPair> {
  if (request.grantType !== DEVICE_GRANT) throw deviceFault('unsupported_grant_type');
  // A refusal is returned and not thrown, so that the poll is noted all the same.
  const result = await deps.store.db.transaction().execute((tx) => poll(deps, tx, request));
  if (typeof result === 'string') throw deviceFault(result);
  return result;
}

async function poll(deps: SessionDeps, tx: Tx, request: DeviceTokenRequest): Promise<TokenPair | DeviceError> {
  const now = deps.clock.now();
  const deviceCodeHash = sha256(request.deviceCode);
  const device = await lockDeviceAuthorization(tx, { deviceCodeHash, clientId: request.clientId });
  if (!device) return 'invalid_grant';
  const { outcome, intervalSeconds } = judgePoll(device, now);
  await recordPoll(tx, { deviceCodeHash, intervalSeconds, now });
  if (outcome !== 'approved') return outcome;
  await consumeDeviceAuthorization(tx, deviceCodeHash);
  const label = deviceLabel({ clientId: device.client_id, userAgent: device.user_agent });
  const session = { userId: device.user_id!, kind: 'cli', device: label, address: request.address } as const;
  return await createSession(deps, session, tx);
}
