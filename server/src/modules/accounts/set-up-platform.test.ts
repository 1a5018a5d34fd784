import { describe, expect, it } from 'vitest';
import { createUser } from '../../testing/factories.ts';
import { startApi, type TestApi } from '../../testing/harness.ts';
import { signInByPassword } from '../../testing/sign-in.ts';
import { createOwner } from './create-owner.ts';
import { issueSetupLink } from './setup-link.ts';

const cli = { 'x-client-type': 'cli' };
const owner = { email: 'ann@example.org', password: 'a long password', firstName: ' Ann ', organisationName: 'Acme' };

async function newSetupToken(api: TestApi): Promise<string> {
  const link = new URL((await issueSetupLink(api))!);
  expect([link.origin, link.pathname, link.search]).toEqual([api.config.publicUrl.origin, '/setup', '']);
  return link.hash.slice(1);
}

const look = async (api: TestApi, setupToken: string) =>
  (await api.call('/api/auth/setup/lookup', { body: { setupToken } })).body;

describe('POST /api/auth/setup', () => {
  it('creates the first owner, signed in, with an organisation on the pro plan', async () => {
    await using api = await startApi();
    const setupToken = await newSetupToken(api);
    const answer = await api.call('/api/auth/setup', { body: { setupToken, ...owner }, headers: cli });
    expect([answer.status, Object.keys(answer.body)]).toEqual([201, ['token', 'refreshToken']]);
    const profile = await api.call('/api/auth/profile', { token: answer.body.token });
    expect(profile.body).toMatchObject({
      email: 'ann@example.org',
      first_name: 'Ann',
      mfa_enabled: false,
      organisations: [{ name: 'Acme', slug: 'acme', role: 'owner', plan: 'pro' }],
    });
    expect((await signInByPassword(api, owner)).status).toBe(200);
    expect(await issueSetupLink(api), 'no link once somebody has an account').toBeNull();
  });

  it('of many at once exactly one wins', async () => {
    await using api = await startApi();
    const setupToken = await newSetupToken(api);
    const answers = await Promise.all(
      [1, 2, 3, 4, 5].map((i) =>
        api.call('/api/auth/setup', { body: { setupToken, ...owner, email: `p${i}@example.org` } }),
      ),
    );
    expect(answers.filter((answer) => answer.status === 201)).toHaveLength(1);
    expect(answers.filter((answer) => answer.status === 401)).toHaveLength(4);
    expect(await api.store.db.selectFrom('users').selectAll().execute()).toHaveLength(1);
    expect(await api.store.db.selectFrom('organisations').selectAll().execute()).toHaveLength(1);
  });

  it('401 for a link that is unknown or was replaced', async () => {
    await using api = await startApi();
    const replaced = await newSetupToken(api);
    const newest = await newSetupToken(api);
    for (const setupToken of [replaced, 'unknown']) {
      const answer = await api.call('/api/auth/setup', { body: { setupToken, ...owner } });
      expect([answer.status, answer.body.code]).toEqual([401, 'CA002']);
    }
    expect((await api.call('/api/auth/setup', { body: { setupToken: newest, ...owner } })).status).toBe(201);
  });

  it('409 when an account came to be by other means, and the link does not come back', async () => {
    await using api = await startApi();
    const setupToken = await newSetupToken(api);
    await createUser(api);
    expect((await api.call('/api/auth/setup', { body: { setupToken, ...owner } })).status).toBe(409);
    expect(await issueSetupLink(api)).toBeNull();
  });
});

describe('POST /api/auth/setup/lookup', () => {
  it('tells whether a link can be used, and uses none', async () => {
    await using api = await startApi();
    const replaced = await newSetupToken(api);
    const setupToken = await newSetupToken(api);
    expect(await look(api, replaced)).toEqual({ usable: false });
    expect(await look(api, 'unknown')).toEqual({ usable: false });
    expect(await look(api, setupToken)).toEqual({ usable: true });
    expect((await api.call('/api/auth/setup', { body: { setupToken, ...owner } })).status).toBe(201);
    expect(await look(api, setupToken)).toEqual({ usable: false });
  });

  it('a link is of no use once an account came to be by other means', async () => {
    await using api = await startApi();
    const setupToken = await newSetupToken(api);
    await createUser(api);
    expect(await look(api, setupToken)).toEqual({ usable: false });
  });
});

describe('createOwner', () => {
  it('gives the free plan unless told otherwise, and a name from the address', async () => {
    await using api = await startApi();
    const { userId, organisationId } = await createOwner(api, {
      email: ' bob@example.org ',
      password: 'a long password',
      organisationName: 'B',
    });
    const user = await api.store.db.selectFrom('users').selectAll().executeTakeFirstOrThrow();
    expect(user).toMatchObject({ id: userId, email: 'bob@example.org', first_name: 'bob' });
    const organisation = await api.store.db.selectFrom('organisations').selectAll().executeTakeFirstOrThrow();
    expect(organisation).toMatchObject({ id: organisationId, plan: 'free' });
  });

  it('refuses an address that has an account, in whatever case, and leaves nothing behind', async () => {
    await using api = await startApi();
    await createOwner(api, owner);
    await expect(createOwner(api, { ...owner, email: 'ANN@example.org' })).rejects.toMatchObject({ code: 'CF001' });
    expect(await api.store.db.selectFrom('organisations').selectAll().execute()).toHaveLength(1);
  });

  it.each([{ email: 'nobody' }, { password: 'short' }, { organisationName: '  ' }, { firstName: 'x'.repeat(101) }])(
    'refuses %o by the rules of the contract',
    async (change) => {
      await using api = await startApi();
      await expect(createOwner(api, { ...owner, ...change })).rejects.toMatchObject({ code: 'VA001' });
    },
  );
});
