import type { Endpoints } from '@lilac/contract/endpoints';
import type { OutputOf } from '@lilac/contract/endpoint';
import type { SessionRow, UserRow } from '../../db/schema.ts';
import type { DeviceAuthorizationRow } from './device-authorization-store.ts';
import type { OrganisationOfUser } from './user-store.ts';

type Profile = OutputOf<Endpoints['auth.profile']>;
type ConnectedDevice = OutputOf<Endpoints['auth.sessions']>[number];
type WaitingDevice = OutputOf<Endpoints['auth.device.lookup']>;

export function presentProfile(user: UserRow, organisations: OrganisationOfUser[]): Profile {
  return {
    id: user.id,
    email: user.email,
    first_name: user.first_name,
    mfa_enabled: user.totp_enabled_at !== null,
    organisations,
  };
}

export function presentSession(session: SessionRow, currentSessionId: string): ConnectedDevice {
  return {
    id: session.id,
    kind: session.kind,
    device: session.device,
    address: session.address,
    current: session.id === currentSessionId,
    created_at: session.created_at.toISOString(),
    last_used_at: session.last_used_at.toISOString(),
    expires_at: session.expires_at.toISOString(),
  };
}

export function presentWaitingDevice(device: DeviceAuthorizationRow): WaitingDevice {
  return {
    client: device.client_id,
    address: device.address,
    userAgent: device.user_agent,
    requested_at: device.created_at.toISOString(),
    expires_at: device.expires_at.toISOString(),
  };
}
