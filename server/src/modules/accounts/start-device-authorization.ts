import { newToken, sha256 } from '../../lib/hash.ts';
import type { AccountsDeps } from './accounts-deps.ts';
import { insertDeviceAuthorization } from './device-authorization-store.ts';
import { DEVICE_CODE_SECONDS, newUserCode, POLL_INTERVAL_SECONDS, showUserCode } from './device-authorization.ts';

export interface DeviceRequest {
  clientId: string;
  address: string;
  userAgent: string | null;
}

/** RFC 8628, section 3.2. */
export async function startDeviceAuthorization(
  { store, clock, config }: Pick<AccountsDeps, 'store' | 'clock' | 'config'>,
  request: DeviceRequest,
) {
  const now = clock.now();
  const deviceCode = newToken();
  const device = {
    ...request,
    deviceCodeHash: sha256(deviceCode),
    intervalSeconds: POLL_INTERVAL_SECONDS,
    now,
    expiresAt: new Date(now.getTime() + DEVICE_CODE_SECONDS * 1000),
  };
  let userCode = newUserCode();
  while (!(await insertDeviceAuthorization(store.db, { ...device, userCode }))) userCode = newUserCode();
  const page = new URL('/device', config.publicUrl).href;
  return {
    device_code: deviceCode,
    user_code: showUserCode(userCode),
    verification_uri: page,
    verification_uri_complete: `${page}?user_code=${showUserCode(userCode)}`,
    expires_in: DEVICE_CODE_SECONDS,
    interval: POLL_INTERVAL_SECONDS,
  };
}
