import { describe, expect, it } from 'vitest';
import { eventually } from '../../testing/eventually.ts';
import { createOwner, type TestOwner } from '../../testing/factories.ts';
import { startApi, type TestApi } from '../../testing/harness.ts';
import { ACCESS_TOKEN_SECONDS } from './access-token.ts';
import { createSession, type TokenPair } from './create-session.ts';
import { decideDevice } from './decide-device-authorization.ts';
import { denyUnclaimedDevices } from './device-authorization-store.ts';
import { DEVICE_GRANT } from './device-authorization.ts';
import { REFRESH_GRACE_MS } from './session.ts';
import { revokeSession } from './session-store.ts';

type Session = TokenPair & { sessionId: string };
type End = (api: TestApi, owner: TestOwner, stolen: Session) => Promise<unknown>;

const steal = (api: TestApi, { userId }: TestOwner): Promise<Session> =>
  createSession(api, { userId, kind: 'browser', device: 'x', address: null });

const startDevice = async (api: TestApi): Promise<string> =>
  (await api.call('/api/auth/device/code', { body: { client_id: 'lilac-cli' } })).body.user_code;

const ends: [string, End][] = [
  [
    'a password change',
    (api, { token, password: currentPassword }) =>
      api.call('/api/profile/password', { token, body: { currentPassword, newPassword: 'an even longer password' } }),
  ],
  [
    'the owner, from connected devices',
    (api, { token }, { sessionId }) => api.call('/api/auth/sessions/revoke', { token, body: { sessionId } }),
  ],
  ['signing out', (api, _owner, { refreshToken }) => api.call('/api/auth/logout', { body: { refreshToken } })],
  [
    'a refresh token used twice',
    async (api, _owner, { refreshToken }) => {
      await api.call('/api/auth/refresh', { body: { refreshToken } });
      api.clock.advance(REFRESH_GRACE_MS + 1);
      await api.call('/api/auth/refresh', { body: { refreshToken } });
    },
  ],
];

describe.each(ends)('an access token whose session was ended by %s', (_title, end) => {
  it('approves no device, makes no key, invites nobody and signs nobody out; until it expires it reads', async () => {
    await using api = await startApi();
    const owner = await createOwner(api);
    const stolen = await steal(api, owner);
    const { organisationId: targetOrganisationId, sessionId, password: currentPassword } = owner;
    const userCode = await startDevice(api);
    await end(api, owner, stolen);
    const attempts: [string, object][] = [
      ['/api/auth/device/decide', { userCode, approve: true }],
      ['/api/api-keys/create', { targetOrganisationId, name: 'mine', role: 'admin' }],
      ['/api/organisations/invite', { targetOrganisationId, email: 'thief@example.org', role: 'owner' }],
      ['/api/auth/sessions/revoke', { sessionId }],
      ['/api/profile/mfa/enrol', { currentPassword }],
    ];
    for (const [path, body] of attempts) {
      const { status, body: answer } = await api.call(path, { token: stolen.token, body });
      expect({ path, status, code: answer.code as string }).toEqual({ path, status: 401, code: 'CA002' });
    }
    expect((await api.call('/api/auth/profile', { token: stolen.token })).status).toBe(200);
    const decided = await api.call('/api/auth/device/decide', {
      token: owner.token,
      body: { userCode, approve: true },
    });
    expect(decided.body).toEqual({ approved: true });
    api.clock.advance(ACCESS_TOKEN_SECONDS * 1000);
    expect((await api.call('/api/auth/profile', { token: stolen.token })).status).toBe(401);
  });
});

it('a device that the thief approved before, and that has not fetched its tokens, gets none', async () => {
  await using api = await startApi();
  const owner = await createOwner(api);
  const stolen = await steal(api, owner);
  const { body: device } = await api.call('/api/auth/device/code', { body: { client_id: 'lilac-cli' } });
  await api.call('/api/auth/device/decide', {
    token: stolen.token,
    body: { userCode: device.user_code, approve: true },
  });
  await api.call('/api/auth/sessions/revoke', { token: owner.token, body: { sessionId: stolen.sessionId } });
  const grant = { grant_type: DEVICE_GRANT, device_code: device.device_code, client_id: 'lilac-cli' };
  const answer = await api.call('/api/auth/device/token', { body: grant });
  expect(answer.body.error).toBe('access_denied');
});

describe('approving a device while the session is being ended', () => {
  it('waits for the end and is refused, though the session was live at admission', async () => {
    await using api = await startApi();
    const owner = await createOwner(api);
    const stolen = await steal(api, owner);
    const userCode = await startDevice(api);
    const person = { userId: owner.userId, sessionId: stolen.sessionId, address: '127.0.0.1' };
    const approval = await api.store.db.transaction().execute(async (tx) => {
      await revokeSession(tx, stolen.sessionId, { because: 'password changed', now: api.clock.now() });
      const deciding = decideDevice(api, person, { userCode, approve: true }).catch((error: unknown) => error);
      await eventually('the approval waits', async () => (await countWaiting(api)) === 1);
      await denyUnclaimedDevices(tx, owner.userId);
      return { deciding };
    });
    expect(await approval.deciding).toMatchObject({ code: 'CA002' });
    const device = await api.store.db.selectFrom('device_authorizations').select('state').executeTakeFirstOrThrow();
    expect(device.state).toBe('pending');
  });
});

async function countWaiting({ store }: TestApi): Promise<number> {
  const { rows } = await store.pool.query<{ count: number }>(
    `select count(*)::int from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return rows[0]!.count;
}
