import { describe, expect, it } from 'vitest';
import { run } from '../../lib/exec.ts';
import { createUser, type TestUser } from '../../testing/factories.ts';
import { startApi, type Answer, type TestApi } from '../../testing/harness.ts';
import { signInByPassword } from '../../testing/sign-in.ts';

const STEP_MS = 30_000;
const cli = { 'x-client-type': 'cli' };

/** What an authenticator other than ours shows at this moment. */
async function oathtool(secret: string, now: Date): Promise<string> {
  const at = `@${Math.floor(now.getTime() / 1000)}`;
  const { stdout, stderr } = await run(['oathtool', '--totp', '--base32', '--now', at, secret], { env: process.env });
  expect(stderr).toBe('');
  return stdout.trim();
}

async function enrol(api: TestApi, user: TestUser): Promise<{ secret: string; recoveryCodes: string[] }> {
  const enrolled = await api.call('/api/profile/mfa/enrol', {
    token: user.token,
    body: { currentPassword: user.password },
  });
  const { secret } = enrolled.body;
  const code = await oathtool(secret, api.clock.now());
  const confirmed = await api.call('/api/profile/mfa/confirm', { token: user.token, body: { code } });
  expect(confirmed.status).toBe(200);
  return { secret, recoveryCodes: confirmed.body.recoveryCodes };
}

async function pendingToken(api: TestApi, user: TestUser): Promise<string> {
  const answer = await signInByPassword(api, user);
  expect(answer.body).toEqual({ mfaRequired: true, pendingToken: expect.any(String) });
  return answer.body.pendingToken;
}

function finish(api: TestApi, pendingToken: string, code: string): Promise<Answer> {
  return api.call('/api/auth/login/mfa', { body: { pendingToken, code }, headers: cli });
}

describe('enrolling a second factor', () => {
  it('answers a secret and an address for the authenticator, and changes nothing until it is confirmed', async () => {
    await using api = await startApi();
    const user = await createUser(api);
    const answer = await api.call('/api/profile/mfa/enrol', {
      token: user.token,
      body: { currentPassword: user.password },
    });
    expect(answer.body.secret).toMatch(/^[A-Z2-7]{32}$/);
    const url = new URL(answer.body.otpauthUrl);
    expect([url.protocol, url.host, decodeURIComponent(url.pathname)]).toEqual([
      'otpauth:',
      'totp',
      `/Lilac:${user.email}`,
    ]);
    expect(url.searchParams.get('secret')).toBe(answer.body.secret);
    const stored = await api.store.db.selectFrom('users').selectAll().executeTakeFirstOrThrow();
    expect(stored.totp_secret).not.toContain(answer.body.secret);
    expect((await signInByPassword(api, user)).status).toBe(200);
    expect((await api.call('/api/auth/profile', { token: user.token })).body.mfa_enabled).toBe(false);
  });

  it('400 for a wrong password or a wrong first code; 409 when not begun, or already done', async () => {
    await using api = await startApi();
    const user = await createUser(api);
    const call = (path: string, body: object) => api.call(`/api/profile/mfa/${path}`, { token: user.token, body });
    expect((await call('confirm', { code: '123456' })).status).toBe(409);
    expect((await call('enrol', { currentPassword: 'wrong' })).status).toBe(400);
    const { secret } = (await call('enrol', { currentPassword: user.password })).body;
    const right = await oathtool(secret, api.clock.now());
    const wrong = String((Number(right) + 1) % 1_000_000).padStart(6, '0');
    for (const code of [wrong, 'abc', '12345678']) expect((await call('confirm', { code })).status).toBe(400);
    expect((await call('confirm', { code: `${right.slice(0, 3)} ${right.slice(3)}` })).status).toBe(200);
    expect((await call('confirm', { code: right })).status).toBe(409);
    expect((await call('enrol', { currentPassword: user.password })).status).toBe(409);
  });

  it('a secret that was replaced before it was confirmed is worth nothing', async () => {
    await using api = await startApi();
    const user = await createUser(api);
    const begin = () =>
      api.call('/api/profile/mfa/enrol', { token: user.token, body: { currentPassword: user.password } });
    const first = await oathtool((await begin()).body.secret, api.clock.now());
    const second = await oathtool((await begin()).body.secret, api.clock.now());
    const confirm = (code: string) => api.call('/api/profile/mfa/confirm', { token: user.token, body: { code } });
    expect((await confirm(first)).status).toBe(400);
    expect((await confirm(second)).status).toBe(200);
  });
});

describe('POST /api/auth/login/mfa', () => {
  it('agrees with oathtool on the present step, the one before and the one after, and no other', async () => {
    await using api = await startApi();
    const user = await createUser(api);
    const { secret } = await enrol(api, user);
    api.clock.advance(10 * STEP_MS);
    const codeAt = (steps: number) => oathtool(secret, new Date(api.clock.now().getTime() + steps * STEP_MS));
    const pending = await pendingToken(api, user);
    for (const steps of [-2, 2]) expect((await finish(api, pending, await codeAt(steps))).status).toBe(401);
    const signedIn = await finish(api, pending, await codeAt(-1));
    expect(Object.keys(signedIn.body)).toEqual(['token', 'refreshToken']);
    expect((await finish(api, await pendingToken(api, user), await codeAt(0))).status).toBe(200);
    expect((await finish(api, await pendingToken(api, user), await codeAt(1))).status).toBe(200);
  });

  it('401 for a code that was used before, and for an older one', async () => {
    await using api = await startApi();
    const user = await createUser(api);
    const { secret } = await enrol(api, user);
    api.clock.advance(5 * STEP_MS);
    const older = await oathtool(secret, new Date(api.clock.now().getTime() - STEP_MS));
    const code = await oathtool(secret, api.clock.now());
    expect((await finish(api, await pendingToken(api, user), code)).status).toBe(200);
    const pending = await pendingToken(api, user);
    expect((await finish(api, pending, code)).status).toBe(401);
    expect((await finish(api, pending, older)).status).toBe(401);
  });

  it('of many at once with one code exactly one is signed in', async () => {
    await using api = await startApi();
    const user = await createUser(api);
    const { secret } = await enrol(api, user);
    api.clock.advance(5 * STEP_MS);
    const code = await oathtool(secret, api.clock.now());
    const pending = await Promise.all(Array.from({ length: 6 }, () => pendingToken(api, user)));
    const answers = await Promise.all(pending.map((token) => finish(api, token, code)));
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1);
  });

  it('takes each recovery code once, however it is typed', async () => {
    await using api = await startApi();
    const user = await createUser(api);
    const { recoveryCodes } = await enrol(api, user);
    expect(recoveryCodes).toHaveLength(10);
    expect(new Set(recoveryCodes).size).toBe(10);
    for (const code of recoveryCodes) expect(code).toMatch(/^([A-Z2-7]{4}-){3}[A-Z2-7]{4}$/);
    const [first, second] = recoveryCodes as [string, string];
    expect((await finish(api, await pendingToken(api, user), first)).status).toBe(200);
    const pending = await pendingToken(api, user);
    expect((await finish(api, pending, first)).status).toBe(401);
    expect((await finish(api, pending, second.toLowerCase().replaceAll('-', ' '))).status).toBe(200);
  });

  it('says of a wrong code what to try next, of either kind', async () => {
    await using api = await startApi();
    const user = await createUser(api);
    const { recoveryCodes } = await enrol(api, user);
    const pending = await pendingToken(api, user);
    const told = async (code: string) => {
      const { status, body } = await finish(api, pending, code);
      expect([status, body.code]).toEqual([401, 'CA002']);
      const ofAccount = await api.call('/api/profile/mfa/recovery-codes', { token: user.token, body: { code } });
      expect([ofAccount.status, ofAccount.body.message]).toEqual([400, body.message]);
      return body.message;
    };
    for (const code of ['000000', '12 34'])
      expect(await told(code)).toBe(
        'The code is wrong or was used before. Wait for the next one, or use a recovery code.',
      );
    for (const code of ['AAAA-AAAA-AAAA-AAAA', recoveryCodes[0]!.slice(1).toLowerCase()])
      expect(await told(code)).toBe(
        'The recovery code is wrong or was used before. Try another one, or the code of your authenticator app.',
      );
  });

  it('401 for a pending token that was used, expired after 5 minutes, or never was; the code is not spent', async () => {
    await using api = await startApi();
    const user = await createUser(api);
    const { recoveryCodes } = await enrol(api, user);
    const [used, expired] = [await pendingToken(api, user), await pendingToken(api, user)];
    expect((await finish(api, used, recoveryCodes[0]!)).status).toBe(200);
    const reused = await finish(api, used, recoveryCodes[1]!);
    api.clock.advance(5 * 60_000);
    const late = await finish(api, expired, recoveryCodes[1]!);
    const never = await finish(api, 'never', recoveryCodes[1]!);
    for (const answer of [reused, late, never]) expect([answer.status, answer.body.code]).toEqual([401, 'CA002']);
    expect((await finish(api, await pendingToken(api, user), recoveryCodes[1]!)).status).toBe(200);
  });

  it('of many at once with one pending token exactly one is signed in', async () => {
    await using api = await startApi();
    const user = await createUser(api);
    const { recoveryCodes } = await enrol(api, user);
    const pending = await pendingToken(api, user);
    const answers = await Promise.all(recoveryCodes.slice(0, 6).map((code) => finish(api, pending, code)));
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1);
    const left = await api.store.db.selectFrom('recovery_codes').selectAll().where('used_at', 'is', null).execute();
    expect(left).toHaveLength(9);
  });

  it('429 with Retry-After after ten wrong codes, over any number of pending tokens', async () => {
    await using api = await startApi();
    const user = await createUser(api);
    const { recoveryCodes } = await enrol(api, user);
    for (let i = 0; i < 5; i++) {
      const pending = await pendingToken(api, user);
      for (let j = 0; j < 2; j++) expect((await finish(api, pending, 'AAAA-AAAA-AAAA-AAAA')).status).toBe(401);
    }
    const answer = await finish(api, await pendingToken(api, user), recoveryCodes[0]!);
    expect([answer.status, answer.headers['retry-after']]).toEqual([429, '900']);
  });
});

describe('managing a second factor', () => {
  it('recovery codes are replaced against a code, and the old ones stop working', async () => {
    await using api = await startApi();
    const user = await createUser(api);
    const { recoveryCodes: old } = await enrol(api, user);
    const renew = (code: string) => api.call('/api/profile/mfa/recovery-codes', { token: user.token, body: { code } });
    expect((await renew('000')).status).toBe(400);
    const renewed = await renew(old[0]!);
    expect(renewed.body.recoveryCodes).toHaveLength(10);
    const pending = await pendingToken(api, user);
    expect((await finish(api, pending, old[1]!)).status).toBe(401);
    expect((await finish(api, pending, renewed.body.recoveryCodes[0])).status).toBe(200);
  });

  it('the factor is removed against the password and a code; sign-in then asks for neither', async () => {
    await using api = await startApi();
    const user = await createUser(api);
    const { recoveryCodes } = await enrol(api, user);
    const stale = await pendingToken(api, user);
    const disable = (currentPassword: string, code: string) =>
      api.call('/api/profile/mfa/disable', { token: user.token, body: { currentPassword, code } });
    expect((await disable('wrong', recoveryCodes[0]!)).status).toBe(400);
    expect((await disable(user.password, '000000')).status).toBe(400);
    expect((await disable(user.password, recoveryCodes[0]!)).status).toBe(200);
    expect((await disable(user.password, recoveryCodes[1]!)).status).toBe(409);
    expect((await finish(api, stale, recoveryCodes[1]!)).status).toBe(401);
    expect((await signInByPassword(api, user)).body).toHaveProperty('token');
    expect(await api.store.db.selectFrom('recovery_codes').selectAll().execute()).toEqual([]);
  });

  it('a sign-in under way when the factor is removed cannot be finished with the next factor', async () => {
    await using api = await startApi();
    const user = await createUser(api);
    const { recoveryCodes } = await enrol(api, user);
    const stale = await pendingToken(api, user);
    const body = { currentPassword: user.password, code: recoveryCodes[0]! };
    expect((await api.call('/api/profile/mfa/disable', { token: user.token, body })).status).toBe(200);
    const next = await enrol(api, user);
    expect((await finish(api, stale, next.recoveryCodes[0]!)).status).toBe(401);
    expect((await finish(api, await pendingToken(api, user), next.recoveryCodes[0]!)).status).toBe(200);
  });
});
