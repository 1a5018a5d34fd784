import { describe, expect, it } from 'vitest';
import { createOwner, createUser, type TestUser } from '../../testing/factories.ts';
import { startApi, type TestApi } from '../../testing/harness.ts';
import { signInByPassword } from '../../testing/sign-in.ts';
import { createSession } from './create-session.ts';

const refresh = (api: TestApi, refreshToken: string) => api.call('/api/auth/refresh', { body: { refreshToken } });

function change(api: TestApi, { token }: TestUser, currentPassword: string) {
  return api.call('/api/profile/password', {
    token,
    body: { currentPassword, newPassword: 'an even longer password' },
  });
}

describe('PUT /api/profile/password', () => {
  it('changes the password and signs every other session out, but not this one', async () => {
    await using api = await startApi();
    const user = await createUser(api);
    const other = await createSession(api, { userId: user.userId, kind: 'browser', device: 'x', address: null });
    const stranger = await createUser(api);
    expect((await change(api, user, user.password)).status).toBe(200);
    expect((await signInByPassword(api, user)).status).toBe(401);
    expect((await signInByPassword(api, { ...user, password: 'an even longer password' })).status).toBe(200);
    expect((await refresh(api, other.refreshToken)).status).toBe(401);
    expect((await refresh(api, user.refreshToken)).status).toBe(200);
    expect((await refresh(api, stranger.refreshToken)).status).toBe(200);
  });

  it('400 when the current password is wrong, and 429 with Retry-After after ten times', async () => {
    await using api = await startApi();
    const user = await createUser(api);
    for (let i = 0; i < 10; i++) {
      const answer = await change(api, user, 'wrong');
      expect([answer.status, answer.body.message]).toEqual([400, 'The current password is wrong.']);
    }
    const answer = await change(api, user, user.password);
    expect([answer.status, answer.headers['retry-after']]).toEqual([429, '900']);
  });

  it('400 when the new one is shorter than 8 characters', async () => {
    await using api = await startApi();
    const { token, password } = await createUser(api);
    const answer = await api.call('/api/profile/password', {
      token,
      body: { currentPassword: password, newPassword: 'sevench' },
    });
    expect([answer.status, answer.body.code]).toEqual([400, 'VA001']);
  });
});

describe('GET /api/auth/profile and PUT /api/profile', () => {
  it('show every organisation with its role and plan, and change the name', async () => {
    await using api = await startApi();
    const owner = await createOwner(api, { plan: 'free', name: 'Acme' });
    const second = await createOwner(api, { plan: 'pro', name: 'Beta' });
    await api.store.db
      .insertInto('memberships')
      .values({ organisation_id: second.organisationId, user_id: owner.userId, role: 'user' })
      .execute();
    const changed = await api.call('/api/profile', { token: owner.token, body: { firstName: ' Ann ' } });
    expect(changed.body).toEqual({
      id: owner.userId,
      email: owner.email,
      first_name: 'Ann',
      mfa_enabled: false,
      organisations: [
        { id: owner.organisationId, name: 'Acme', slug: 'acme', role: 'owner', plan: 'free' },
        { id: second.organisationId, name: 'Beta', slug: 'beta', role: 'user', plan: 'pro' },
      ],
    });
    expect((await api.call('/api/auth/profile', { token: owner.token })).body).toEqual(changed.body);
  });

  it('401 when the account is gone', async () => {
    await using api = await startApi();
    const { token } = await createUser(api);
    await api.store.db.deleteFrom('users').execute();
    const answers = [
      await api.call('/api/auth/profile', { token }),
      await api.call('/api/profile', { token, body: { firstName: 'Ann' } }),
    ];
    expect(answers.map((answer) => [answer.status, answer.body.code])).toEqual([
      [401, 'CA002'],
      [401, 'CA002'],
    ]);
  });
});
