import {
  allowInsecureRequests,
  Configuration,
  customFetch,
  initiateDeviceAuthorization,
  None,
  pollDeviceAuthorizationGrant,
  type DeviceAuthorizationResponse,
} from 'openid-client';
import { describe, expect, it } from 'vitest';
import { createUser } from '../../testing/factories.ts';
import { startApi, type Answer, type TestApi } from '../../testing/harness.ts';
import { DEVICE_GRANT } from './device-authorization.ts';

const CLIENT = 'lilac-cli';

/** A standard client of the field, against the API on a real port. */
async function standardClient(api: TestApi, beforePoll: (poll: number) => Promise<void>): Promise<Configuration> {
  const address = await api.app.listen({ host: '127.0.0.1', port: 0 });
  const server = {
    issuer: address,
    device_authorization_endpoint: `${address}/api/auth/device/code`,
    token_endpoint: `${address}/api/auth/device/token`,
  };
  const client = new Configuration(server, CLIENT, undefined, None());
  allowInsecureRequests(client);
  let polls = 0;
  client[customFetch] = async (url, options) => {
    if (url.endsWith('/token')) await beforePoll(++polls);
    return await fetch(url, options as RequestInit);
  };
  return client;
}

/** The client waits this long in reality; the API's clock is moved by the interval instead. */
const quickly = (device: DeviceAuthorizationResponse) => ({ ...device, interval: 0.02 });

function decide(api: TestApi, token: string, userCode: string, approve: boolean): Promise<Answer> {
  return api.call('/api/auth/device/decide', { token, body: { userCode, approve } });
}

describe('a device sign-in with openid-client', () => {
  it('waits while nobody has decided and gets the tokens of a cli session once it is approved', async () => {
    await using api = await startApi();
    const user = await createUser(api);
    let device: DeviceAuthorizationResponse;
    let polls = 0;
    const client = await standardClient(api, async (poll) => {
      polls = poll;
      api.clock.advance(5000);
      if (poll === 3) await decide(api, user.token, device.user_code, true);
    });
    device = await initiateDeviceAuthorization(client, {});
    expect(device).toMatchObject({
      user_code: expect.stringMatching(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/),
      verification_uri: new URL('/device', api.config.publicUrl).href,
      verification_uri_complete: new URL(`/device?user_code=${device.user_code}`, api.config.publicUrl).href,
      expires_in: 600,
      interval: 5,
    });
    const tokens = await pollDeviceAuthorizationGrant(client, quickly(device));
    expect(polls).toBe(3);
    expect([tokens.token_type, tokens.expires_in]).toEqual(['bearer', 900]);
    const sessions = await api.call('/api/auth/sessions', { token: tokens.access_token });
    expect(sessions.body.find((session: { current: boolean }) => session.current)).toMatchObject({
      kind: 'cli',
      device: CLIENT,
    });
    const refreshed = await api.call('/api/auth/refresh', { body: { refreshToken: tokens.refresh_token } });
    expect(refreshed.status).toBe(200);
    await expect(pollDeviceAuthorizationGrant(client, quickly(device))).rejects.toMatchObject({
      error: 'invalid_grant',
    });
  });

  it('slows down when told to, and still gets its tokens', async () => {
    await using api = await startApi();
    const user = await createUser(api);
    let device: DeviceAuthorizationResponse;
    let polls = 0;
    const client = await standardClient(api, async (poll) => {
      polls = poll;
      if (poll === 3) await decide(api, user.token, device.user_code, true);
    });
    device = await initiateDeviceAuthorization(client, {});
    const tokens = await pollDeviceAuthorizationGrant(client, quickly(device));
    expect(tokens.access_token).toEqual(expect.any(String));
    expect(polls).toBe(3);
    const row = await api.store.db.selectFrom('device_authorizations').selectAll().executeTakeFirstOrThrow();
    expect(row.interval_seconds, 'the second poll came at once').toBe(10);
  });

  it('is told when it is refused, and when it has waited too long', async () => {
    await using api = await startApi();
    const user = await createUser(api);
    let device: DeviceAuthorizationResponse;
    let act: () => unknown = () => decide(api, user.token, device.user_code, false);
    const client = await standardClient(api, async () => void (await act()));
    device = await initiateDeviceAuthorization(client, {});
    await expect(pollDeviceAuthorizationGrant(client, quickly(device))).rejects.toMatchObject({
      status: 400,
      error: 'access_denied',
    });
    device = await initiateDeviceAuthorization(client, {});
    act = () => api.clock.advance(600_000);
    await expect(pollDeviceAuthorizationGrant(client, quickly(device))).rejects.toMatchObject({
      error: 'expired_token',
    });
  });
});

function start(api: TestApi): Promise<Answer> {
  return api.call('/api/auth/device/code', { body: { client_id: CLIENT } });
}

function poll(api: TestApi, deviceCode: string, changes: object = {}): Promise<Answer> {
  const body = { grant_type: DEVICE_GRANT, device_code: deviceCode, client_id: CLIENT, ...changes };
  return api.call('/api/auth/device/token', { body });
}

async function errorOf(answer: Promise<Answer>): Promise<string> {
  return (await answer).body.error;
}

describe('POST /api/auth/device/token', () => {
  it('400 with the error of RFC 6749 beside message and code', async () => {
    await using api = await startApi();
    const { device_code: deviceCode } = (await start(api)).body;
    const pending = await poll(api, deviceCode);
    expect(pending.status).toBe(400);
    expect(pending.headers['cache-control']).toBe('no-store');
    expect(pending.body).toEqual({
      error: 'authorization_pending',
      error_description: expect.any(String),
      message: expect.any(String),
      code: 'VA001',
    });
    expect(await errorOf(poll(api, deviceCode))).toBe('slow_down');
    expect(await errorOf(poll(api, deviceCode, { client_id: 'another' }))).toBe('invalid_grant');
    expect(await errorOf(poll(api, 'unknown'))).toBe('invalid_grant');
    expect(await errorOf(poll(api, deviceCode, { client_id: undefined }))).toBe('invalid_request');
    expect(await errorOf(poll(api, deviceCode, { grant_type: 'password' }))).toBe('unsupported_grant_type');
  });

  it('of many polls at once exactly one gets the tokens', async () => {
    await using api = await startApi();
    const user = await createUser(api);
    const { device_code: deviceCode, user_code: userCode } = (await start(api)).body;
    await decide(api, user.token, userCode, true);
    const answers = await Promise.all(Array.from({ length: 8 }, () => poll(api, deviceCode)));
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1);
    expect(answers.filter((answer) => answer.body.error === 'invalid_grant')).toHaveLength(7);
  });

  it('approved by a person who then changes the password: refused', async () => {
    await using api = await startApi();
    const { token, password } = await createUser(api);
    const { device_code: deviceCode, user_code: userCode } = (await start(api)).body;
    await decide(api, token, userCode, true);
    await api.call('/api/profile/password', {
      token,
      body: { currentPassword: password, newPassword: 'a new password' },
    });
    expect((await poll(api, deviceCode)).body.error).toBe('access_denied');
  });
});
