import * as argon2 from '@node-rs/argon2';
import { describe, expect, it, vi } from 'vitest';
import { createOwner, createUser } from '../../testing/factories.ts';
import { startApi } from '../../testing/harness.ts';
import { signInByPassword } from '../../testing/sign-in.ts';

vi.mock('@node-rs/argon2', { spy: true });

const cli = { 'x-client-type': 'cli' };

describe('POST /api/auth/login', () => {
  it('signs a browser in: the refresh token in the cookie, the session among the connected devices', async () => {
    await using api = await startApi();
    const user = await createOwner(api);
    const headers = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' };
    const answer = await signInByPassword(api, { ...user, address: '192.0.2.9', headers });
    expect([answer.status, Object.keys(answer.body)]).toEqual([200, ['token']]);
    expect(answer.headers['set-cookie']).toMatch(/^__Host-lc_rt=[\w-]{43}; .*HttpOnly/);
    const devices = await api.call('/api/auth/sessions', { token: answer.body.token });
    expect(devices.body).toHaveLength(2);
    expect(devices.body.find((device: { current: boolean }) => device.current)).toMatchObject({
      kind: 'browser',
      device: 'Firefox on Linux',
      address: '192.0.2.9',
    });
  });

  it('takes the address in any case, and answers both tokens to X-Client-Type: cli', async () => {
    await using api = await startApi();
    const user = await createUser(api, { email: 'Ann.Lee@Example.org' });
    const answer = await signInByPassword(api, { ...user, email: 'ann.lee@EXAMPLE.ORG', headers: cli });
    expect(Object.keys(answer.body)).toEqual(['token', 'refreshToken']);
    expect(answer.headers['set-cookie']).toBeUndefined();
    const profile = await api.call('/api/auth/profile', { token: answer.body.token });
    expect(profile.body.email).toBe('Ann.Lee@Example.org');
  });

  it('answers an unknown account exactly as a wrong password, for the same work', async () => {
    await using api = await startApi();
    const { email } = await createUser(api);
    vi.mocked(argon2.verify).mockClear();
    const wrong = await signInByPassword(api, { email, password: 'not the password' });
    expect(argon2.verify).toHaveBeenCalledTimes(1);
    const unknown = await signInByPassword(api, { email: 'nobody@example.org', password: 'not the password' });
    expect(argon2.verify).toHaveBeenCalledTimes(2);
    expect([wrong.status, wrong.body]).toEqual([
      401,
      { message: 'The e-mail address or the password is wrong.', code: 'CA002' },
    ]);
    expect([unknown.status, unknown.text]).toEqual([wrong.status, wrong.text]);
    const [known, dummy] = vi.mocked(argon2.verify).mock.calls.map(([hash]) => argon2.parseOptions(hash));
    expect(dummy).toEqual(known);
  });

  it('401 for a password in clear: only the console back end can encrypt one', async () => {
    await using api = await startApi();
    const { email, password } = await createUser(api);
    const answer = await api.call('/api/auth/login', { body: { email, password } });
    expect([answer.status, answer.body.code]).toEqual([401, 'CA002']);
  });

  it('429 with Retry-After after ten failures, for the right password too, until 15 minutes have passed', async () => {
    await using api = await startApi();
    const user = await createUser(api);
    for (let i = 0; i < 10; i++) {
      const address = `192.0.2.${i}`;
      expect((await signInByPassword(api, { ...user, password: 'wrong password', address })).status).toBe(401);
    }
    api.clock.advance(5 * 60_000);
    const refused = await signInByPassword(api, { ...user, address: '198.51.100.1' });
    expect([refused.status, refused.body.code, refused.headers['retry-after']]).toEqual([429, 'CA009', '600']);
    api.clock.advance(10 * 60_000);
    expect((await signInByPassword(api, { ...user, address: '198.51.100.1' })).status).toBe(200);
  });

  it('429 for an address that failed ten times, whoever it tried to be', async () => {
    await using api = await startApi();
    const user = await createUser(api);
    for (let i = 0; i < 10; i++)
      await signInByPassword(api, { email: `p${i}@example.org`, password: 'wrong password' });
    expect((await signInByPassword(api, user)).status).toBe(429);
    expect((await signInByPassword(api, { ...user, address: '198.51.100.1' })).status).toBe(200);
  });

  it('replaces a hash of older parameters when its password is next seen', async () => {
    await using api = await startApi();
    const user = await createUser(api);
    const outdated = await argon2.hash(user.password, { memoryCost: 8192, timeCost: 2 });
    await api.store.db.updateTable('users').set({ password_hash: outdated }).execute();
    for (let i = 0; i < 2; i++) expect((await signInByPassword(api, user)).status).toBe(200);
    const { password_hash: hash } = await api.store.db.selectFrom('users').selectAll().executeTakeFirstOrThrow();
    expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  });
});
