import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { writeLink } from '../link/link.ts';
import { lilac } from '../testing/lilac.ts';
import { startPlatformDouble } from '../testing/start-platform-double.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { StoredPlatforms } from './stored-platforms.ts';

const organisations = [
  { id: 'org_1', name: 'Acme', slug: 'acme', role: 'owner', plan: 'pro' },
  { id: 'org_2', name: 'Side Show', slug: 'side-show', role: 'user', plan: 'free' },
];
const profile = { id: 'usr_1', email: 'ada@example.org', first_name: 'Ada', mfa_enabled: false, organisations };
const apps = { items: [], totalItems: 0, totalPages: 0, currentPage: 1 };
const deviceCode = {
  device_code: 'device',
  user_code: 'ABCD-EFGH',
  verification_uri: 'https://lilac.example.org/device',
  verification_uri_complete: 'https://lilac.example.org/device?user_code=ABCD-EFGH',
  expires_in: 600,
  interval: 0,
};
const tokenFor = (name: string) => ({
  body: {
    access_token: `access of ${name}`,
    refresh_token: `refresh of ${name}`,
    token_type: 'Bearer',
    expires_in: 900,
  },
});

/** A platform where everything is approved at once, and somebody's home. */
async function startWorld() {
  const platform = await startPlatformDouble({
    '/api/auth/device/code': { body: deviceCode },
    '/api/auth/device/token': tokenFor('ada'),
    '/api/auth/logout': { body: { message: 'Signed out.' } },
    '/api/auth/profile': { body: profile },
    '/api/applications': { body: apps },
  });
  const folder = temporaryFolder();
  const environment = { XDG_CONFIG_HOME: folder.path, LILAC_API_URL: platform.url };
  return {
    ...platform,
    environment,
    home: folder.path,
    stored: new StoredPlatforms(join(folder.path, 'lilac')),
    run: (line: string, more: Record<string, string> = {}) =>
      lilac(line, { ...environment, ...more }, { cwd: folder.path }),
    [Symbol.dispose]() {
      platform[Symbol.dispose]();
      folder[Symbol.dispose]();
    },
  };
}

describe('lilac login', () => {
  it('shows the code and the address, waits, and is signed in from then on', async () => {
    using world = await startWorld();
    const { exitCode, out, err } = await world.run('login');
    expect(err).toContain(
      'Your code:  ABCD-EFGH\nApprove it at:  https://lilac.example.org/device?user_code=ABCD-EFGH\n',
    );
    expect({ exitCode, out }).toEqual({
      exitCode: 0,
      out: `You are signed in at ${world.url} as Ada (ada@example.org).\n`,
    });
    await world.run('apps list --org org_2');
    expect(world.received.at(-1)).toMatchObject({
      path: '/api/applications',
      headers: { authorization: 'Bearer access of ada' },
      body: { targetOrganisationId: 'org_2' },
    });
  });

  it('makes the platform that is named the one that commands go to', async () => {
    using world = await startWorld();
    const { host } = new URL(world.url);
    await lilac(`login ${host}`, { XDG_CONFIG_HOME: world.home });
    expect(await lilac('apps list --org acme', { XDG_CONFIG_HOME: world.home })).toMatchObject({ exitCode: 0 });
    expect(world.received.at(-1)?.body).toEqual({ targetOrganisationId: 'org_1' });
  });

  it('goes to an address that only lilac.json names after a question alone', async () => {
    using world = await startWorld();
    writeLink(world.home, { apiUrl: world.url, organisationId: '-', applicationId: 'app_1', environmentId: 'env_1' });
    const login = (more: { isTerminal?: boolean; typed?: string[] }) =>
      lilac('login', { XDG_CONFIG_HOME: world.home }, { cwd: world.home, ...more });
    const refused = await login({});
    expect(refused).toMatchObject({ exitCode: 2, err: expect.stringContaining(`lilac login ${world.url}`) });
    expect(await login({ isTerminal: true, typed: ['n'] })).toMatchObject({ exitCode: 1 });
    expect(world.received).toEqual([]);
    const { exitCode, err } = await login({ isTerminal: true, typed: ['y'] });
    expect({ exitCode, err }).toMatchObject({
      exitCode: 0,
      err: expect.stringContaining(`Signing in at ${world.url}`),
    });
  });

  it('ends the session that was there before', async () => {
    using world = await startWorld();
    await world.stored.signIn(world.url, { token: 'old', refreshToken: 'old refresh' });
    await world.run('login');
    expect(world.received.find(({ path }) => path === '/api/auth/logout')?.body).toEqual({
      refreshToken: 'old refresh',
    });
  });

  it('stores nothing where it is refused', async () => {
    using folder = temporaryFolder();
    using platform = await startPlatformDouble({
      '/api/auth/device/code': { body: deviceCode },
      '/api/auth/device/token': { status: 400, body: { error: 'access_denied', message: 'No.', code: 'VA001' } },
    });
    const environment = { XDG_CONFIG_HOME: folder.path, LILAC_API_URL: platform.url };
    expect(await lilac('login', environment)).toMatchObject({ exitCode: 1, out: '' });
    expect(readdirSync(folder.path)).toEqual([]);
  });

  it('is what a person who is not signed in is told to do', async () => {
    using world = await startWorld();
    const { exitCode, err } = await world.run('apps list');
    expect(exitCode).toBe(1);
    expect(err).toContain(`lilac: You are not signed in at ${world.url}.\nSign in with "lilac login"`);
    expect(world.received).toEqual([]);
  });

  it('is what a person whose session has ended is told to do, and the session is forgotten', async () => {
    using folder = temporaryFolder();
    const refused = { status: 401, body: { message: 'No longer.', code: 'CA002' } };
    using platform = await startPlatformDouble({ '/api/auth/profile': refused, '/api/auth/refresh': refused });
    const stored = new StoredPlatforms(join(folder.path, 'lilac'));
    await stored.signIn(platform.url, { token: 'old', refreshToken: 'old refresh' });
    const { err } = await lilac('whoami', { XDG_CONFIG_HOME: folder.path });
    expect(err).toBe(`lilac: You are no longer signed in at ${platform.url}.\nSign in again with "lilac login".\n`);
    expect(stored.knows(platform.url)).toBe(false);
  });
});

describe('lilac logout', () => {
  it('ends the session at the platform, and forgets it', async () => {
    using world = await startWorld();
    await world.run('login');
    expect(await world.run('logout')).toMatchObject({
      exitCode: 0,
      out: `You are signed out at ${world.url}.\n`,
      err: '',
    });
    expect(world.received.at(-1)).toMatchObject({ path: '/api/auth/logout', body: { refreshToken: 'refresh of ada' } });
    expect(world.stored.knows(world.url)).toBe(false);
    expect((await world.run('logout')).out).toContain('Nobody was signed in');
  });

  it('forgets it where the platform is away, and says that it does not know', async () => {
    using world = await startWorld();
    await world.run('login');
    world[Symbol.dispose].call({ ...world });
    using folder = temporaryFolder();
    const stored = new StoredPlatforms(join(folder.path, 'lilac'));
    await stored.signIn(world.url, { token: 'a', refreshToken: 'b' });
    const { exitCode, err } = await lilac('logout', { XDG_CONFIG_HOME: folder.path });
    expect(exitCode).toBe(0);
    expect(err).toContain('The platform could not be told');
    expect(stored.knows(world.url)).toBe(false);
  });
});

describe('lilac whoami', () => {
  it('tells who, where and in which organisation, and how each was chosen', async () => {
    using world = await startWorld();
    await world.run('login');
    await world.run('orgs use acme');
    expect((await world.run('whoami')).out).toBe(
      [
        'You are:       Ada (ada@example.org), signed in',
        `Platform:      ${world.url} (LILAC_API_URL)`,
        'Organisation:  Acme (acme), owner, pro plan (lilac orgs use)',
        'Others:        Side Show (side-show)',
        '',
      ].join('\n'),
    );
    const { out } = await world.run('whoami --json --org side-show');
    expect(JSON.parse(out)).toMatchObject({
      ...profile,
      credential: 'session',
      platform: { apiUrl: world.url, from: 'setting' },
      organisation: { id: 'org_2', from: 'flag' },
    });
  });

  it('tells of a key that it is one, once it is taken', async () => {
    using world = await startWorld();
    const { out } = await world.run('whoami', { LILAC_TOKEN: 'lc_key' });
    expect(out).toContain('You are:       an API key, from LILAC_TOKEN\n');
    expect(world.received.map(({ path }) => path)).toEqual(['/api/applications']);
  });
});

describe('which organisation is meant', () => {
  it.each(['org_2', 'side-show', 'Side Show', 'side show'])('is the one that --org names: %s', async (named) => {
    using world = await startWorld();
    await world.run('login');
    await lilac(['apps', 'list', '--org', named], world.environment);
    expect(world.received.at(-1)?.body).toEqual({ targetOrganisationId: 'org_2' });
  });

  it("is the linked folder's before the one that was chosen", async () => {
    using world = await startWorld();
    await world.run('login');
    await world.run('orgs use acme');
    await world.run('apps list');
    expect(world.received.at(-1)?.body).toEqual({ targetOrganisationId: 'org_1' });
    writeLink(world.home, {
      apiUrl: world.url,
      organisationId: 'org_2',
      applicationId: 'app_1',
      environmentId: 'env_1',
    });
    await world.run('apps list');
    expect(world.received.at(-1)?.body).toEqual({ targetOrganisationId: 'org_2' });
  });

  it('must be said where a person has several, with the ways to say it', async () => {
    using world = await startWorld();
    await world.run('login');
    const { exitCode, err } = await world.run('apps list');
    expect(exitCode).toBe(2);
    expect(err).toContain('lilac orgs use');
    expect(err).toContain('--org org_2   Side Show');
  });

  it('is not one that the person does not belong to', async () => {
    using world = await startWorld();
    await world.run('login');
    expect(await world.run('orgs use other')).toMatchObject({ exitCode: 2 });
    expect(await world.run('apps list --org other')).toMatchObject({ exitCode: 2 });
  });
});

describe('LILAC_TOKEN', () => {
  it('counts more than a session', async () => {
    using world = await startWorld();
    await world.run('login');
    await world.run('apps list', { LILAC_TOKEN: 'lc_key' });
    expect(world.received.at(-1)).toMatchObject({ headers: { authorization: 'Bearer lc_key' }, body: {} });
  });

  it('is not sent to an address that only a file in the folder names', async () => {
    using world = await startWorld();
    writeLink(world.home, { apiUrl: world.url, organisationId: '-', applicationId: 'app_1', environmentId: 'env_1' });
    const environment = { XDG_CONFIG_HOME: world.home, LILAC_TOKEN: 'lc_key' };
    const { exitCode, err } = await lilac('apps list', environment, { cwd: world.home });
    expect({ exitCode, received: world.received }).toEqual({ exitCode: 2, received: [] });
    expect(err).toContain(`set LILAC_API_URL=${world.url} too`);
    expect(await world.run('apps list', { LILAC_TOKEN: 'lc_key' })).toMatchObject({ exitCode: 0 });
  });
});
