import { describe, expect, it } from 'vitest';
import { createUser } from '../../testing/factories.ts';
import { startApi, type Answer, type TestApi } from '../../testing/harness.ts';

const CLIENT = 'lilac-cli';

async function startDevice(api: TestApi): Promise<string> {
  const headers = { 'user-agent': 'lilac/0.1 (linux)' };
  const answer = await api.call('/api/auth/device/code', { body: { client_id: CLIENT }, headers });
  return answer.body.user_code;
}

function lookUp(api: TestApi, token: string, userCode: string): Promise<Answer> {
  return api.call('/api/auth/device/lookup', { token, body: { userCode } });
}

function decide(api: TestApi, token: string, [userCode, approve]: [string, boolean]): Promise<Answer> {
  return api.call('/api/auth/device/decide', { token, body: { userCode, approve } });
}

describe('POST /api/auth/device/lookup and decide', () => {
  it('shows who asks, however the code is typed', async () => {
    await using api = await startApi();
    const { token } = await createUser(api);
    const userCode = await startDevice(api);
    const answer = await lookUp(api, token, userCode.toLowerCase().replace('-', ''));
    expect(answer.body).toEqual({
      client: CLIENT,
      address: '127.0.0.1',
      userAgent: 'lilac/0.1 (linux)',
      requested_at: api.clock.now().toISOString(),
      expires_at: new Date(api.clock.now().getTime() + 600_000).toISOString(),
    });
  });

  it('404 for a code that is unknown, expired or decided; the first decision stands', async () => {
    await using api = await startApi();
    const { token } = await createUser(api);
    const first = await startDevice(api);
    const second = await startDevice(api);
    expect((await lookUp(api, token, 'nonsense')).status).toBe(404);
    expect((await decide(api, token, [first, false])).body).toEqual({ approved: false });
    expect((await decide(api, token, [first, true])).status).toBe(404);
    expect((await lookUp(api, token, first)).status).toBe(404);
    api.clock.advance(600_000);
    expect((await lookUp(api, token, second)).status).toBe(404);
    expect((await decide(api, token, [second, true])).status).toBe(404);
  });

  it('429 with Retry-After after ten wrong codes', async () => {
    await using api = await startApi();
    const { token } = await createUser(api);
    const userCode = await startDevice(api);
    for (let i = 0; i < 5; i++) {
      expect((await lookUp(api, token, 'BBBB-BBBB')).status).toBe(404);
      expect((await decide(api, token, ['BBBB-BBBB', true])).status).toBe(404);
    }
    const answer = await decide(api, token, [userCode, true]);
    expect([answer.status, answer.headers['retry-after']]).toEqual([429, '900']);
  });

  it('401 for nobody', async () => {
    await using api = await startApi();
    expect((await api.call('/api/auth/device/lookup', { body: { userCode: 'BBBB-BBBB' } })).status).toBe(401);
  });
});
