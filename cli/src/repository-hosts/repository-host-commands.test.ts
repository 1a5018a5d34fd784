import { describe, expect, it } from 'vitest';
import { lilac } from '../testing/lilac.ts';
import { startPlatformDouble } from '../testing/start-platform-double.ts';

const acme = {
  installationId: 50_000,
  accountLogin: 'acme',
  accountType: 'organisation',
  repositorySelection: 'selected',
  suspended: false,
  url: 'https://github.example.org/organizations/acme/settings/installations/50000',
  linkedAt: '2026-11-15T12:00:00.000Z',
};
const installations = '/api/vcs-app/organisation/-/installations';
const repositories = (base: string) => `/api/${base}/organisation/-/repositories`;
const uninstallPath = `${installations}/50000/uninstall`;

async function start(answers: Parameters<typeof startPlatformDouble>[0] = {}) {
  const platform = await startPlatformDouble({
    [installations]: { body: [acme] },
    '/api/vcs-app/installations': { body: [acme] },
    ...answers,
  });
  const environment = { LILAC_API_URL: platform.url, LILAC_TOKEN: 'lc_key' };
  const paths = () => platform.received.map(({ path }) => path);
  return { environment, paths, received: platform.received, [Symbol.dispose]: () => platform[Symbol.dispose]() };
}

const told = (...events: [string, object][]) => ({
  headers: { 'content-type': 'text/event-stream' },
  body: events.map(([event, data], id) => `id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`).join(''),
});

describe('an API key', () => {
  it.each([
    ['vcs repos', '/api/vcs-app/organisation/-/repositories'],
    ['vcs branches acme shop', '/api/vcs-app/organisation/-/repositories/acme/shop/branches'],
    ['provider2 connections', '/api/provider2/organisation/-/connections'],
    ['vcs status acme shop', '/api/vcs-app/installation-status?owner=acme&repo=shop'],
    ['provider3 status acme shop', '/api/provider3/connection-status?owner=acme&repo=shop'],
  ])('means its own organisation: lilac %s', async (line, path) => {
    const body = line.includes(' status ') ? { configured: false } : [];
    using platform = await start({ [path]: { body } });
    expect(await lilac(line, platform.environment)).toMatchObject({ exitCode: 0 });
    expect(platform.paths()).toEqual([path]);
  });
});

describe.each([
  ['vcs install', '/api/vcs-app/install', '/api/vcs-app', 'lilac vcs installations'],
  ['provider2 connect', '/api/provider2/connect', '/api/provider2', 'lilac provider2 connections'],
])('lilac %s', (line, path, base, list) => {
  const url = 'https://host.example.org/somewhere';
  const stream = `${base}/organisation/-/stream`;

  it('says what to do with the address, and how to see that it worked', async () => {
    using platform = await start({ [path]: { body: { url } } });
    const { out } = await lilac(line, platform.environment);
    expect(out).toMatch(/^Open this address in a browser; it is good for an hour:\n/);
    expect(out).toContain(`\n${url}\n`);
    expect(out).toContain(list);
    expect(JSON.parse((await lilac(`${line} --json`, platform.environment)).out)).toEqual({ url });
  });

  it('waits until it is linked', async () => {
    const linked = told(['status', { status: 'waiting', message: null }], ['linked', { accountLogin: 'acme' }]);
    using platform = await start({ [path]: { body: { url } }, [stream]: linked });
    const { exitCode, out, err } = await lilac(`${line} --wait --json`, platform.environment);
    expect(exitCode).toBe(0);
    expect(err).toContain(url);
    expect(JSON.parse(out)).toEqual({ accountLogin: 'acme' });
  });

  it('fails with the reason when it was refused', async () => {
    const refused = told(['status', { status: 'refused', message: 'You did not allow it.' }]);
    using platform = await start({ [path]: { body: { url } }, [stream]: refused });
    const { exitCode, err } = await lilac(`${line} --wait`, platform.environment);
    expect(exitCode).toBe(1);
    expect(err).toContain('lilac: You did not allow it.');
  });
});

describe('an installation', () => {
  it.each(['50000', 'acme', 'ACME'])('is linked by its id or its account: %s', async (given) => {
    const path = '/api/vcs-app/organisation/-/link-installation';
    using platform = await start({ [path]: { body: acme } });
    expect(await lilac(`vcs link ${given}`, platform.environment)).toMatchObject({ exitCode: 0 });
    expect(platform.received.at(-1)).toMatchObject({ path, body: { installationId: 50_000 } });
  });

  it.each(['50000', 'acme'])('is unlinked by its id or its account: %s', async (given) => {
    using platform = await start({ [`${installations}/50000`]: { body: { message: 'Done.' } } });
    expect(await lilac(`vcs unlink ${given}`, platform.environment)).toMatchObject({ exitCode: 0 });
    expect(platform.paths().at(-1)).toBe(`${installations}/50000`);
  });

  it('that is not there is said so, with the command that lists them', async () => {
    using platform = await start();
    const { exitCode, err } = await lilac('vcs unlink other', platform.environment);
    expect([exitCode, err]).toEqual([
      1,
      'lilac: There is no installation of "other". "lilac vcs installations" lists those there are.\n',
    ]);
  });
});

describe('lilac vcs uninstall', () => {
  it('asks a person for the name of the account', async () => {
    using platform = await start({ [uninstallPath]: { body: { message: 'Removed.' } } });
    const asked = await lilac('vcs uninstall 50000', platform.environment, { isTerminal: true, typed: ['acme'] });
    expect(asked).toMatchObject({ exitCode: 0, err: expect.stringContaining('removes the app from acme') as string });
    expect(platform.paths()).toContain(uninstallPath);
  });

  it('removes nothing when something else is typed, or nobody can be asked', async () => {
    using platform = await start({ [uninstallPath]: { body: { message: 'Removed.' } } });
    const other = await lilac('vcs uninstall acme', platform.environment, { isTerminal: true, typed: ['y'] });
    expect(other).toMatchObject({ exitCode: 1, err: expect.stringContaining('Nothing was removed.') as string });
    const unasked = await lilac('vcs uninstall acme', platform.environment);
    expect(unasked).toMatchObject({ exitCode: 2, err: expect.stringContaining('Add --yes') as string });
    expect(platform.paths()).not.toContain(uninstallPath);
    expect(await lilac('vcs uninstall acme --yes', platform.environment)).toMatchObject({ exitCode: 0, err: '' });
    expect(platform.paths()).toContain(uninstallPath);
  });
});

describe('what people read', () => {
  it('begins with the account in a list of installations, and has the address whole', async () => {
    using platform = await start();
    const { out } = await lilac('vcs installations', platform.environment, { width: 80 });
    const [head, row, below] = out.split('\n');
    expect(head).toMatch(/^ACCOUNT +INSTALLATION ID +SUSPENDED +LINKED AT \(UTC\)/);
    expect(row).toMatch(/^acme +50000 +no +2026-11-15 12:00/);
    expect(below).toBe(`  ${acme.url}`);
  });

  it.each([
    [1, [], /^1 installation is gone at the host and forgotten here\. None is linked;/],
    [0, [acme], /^Nothing is gone at the host\. Linked:\n\nACCOUNT .*\nacme /],
  ])('is a sentence about a sync: %s gone', async (removed, left, words) => {
    const path = '/api/vcs-app/organisation/-/sync-installations';
    using platform = await start({ [path]: { body: { installations: left, removed } } });
    expect((await lilac('vcs sync', platform.environment)).out).toMatch(words);
  });

  it('is where to look for a repository that is not there', async () => {
    const path = '/api/vcs-app/organisation/-/repositories/acme/nope/branches';
    const body = { code: 'NF001', message: 'Nothing linked reaches acme/nope.' };
    using platform = await start({ [path]: { status: 404, body } });
    const { err } = await lilac('vcs branches acme nope', platform.environment);
    expect(err).toContain('"lilac vcs repos" lists what there is.');
    expect(err).not.toContain('The list commands');
  });

  describe('says what to do next where something is lacking', () => {
    const status = '/api/vcs-app/installation-status?owner=acme&repo=shop';
    const connection = '/api/provider2/connection-status?owner=acme&repo=shop';
    const app = { configured: true, installed: true, repoAccess: true, suspended: false };
    const connected = { configured: true, connected: true, repoAccess: true, trouble: null };
    it.each([
      ['vcs repos', repositories('vcs-app'), [], 'lilac vcs install'],
      ['vcs installations', installations, [], 'lilac vcs install'],
      ['provider2 repos', repositories('provider2'), [], 'lilac provider2 connect'],
      ['provider3 connections', '/api/provider3/organisation/-/connections', [], 'lilac provider3 connect'],
      ['vcs status acme shop', status, { ...app, configured: false }, 'lilac admin vcs setup'],
      ['vcs status acme shop', status, { ...app, installed: false, repoAccess: false }, 'lilac vcs install'],
      ['vcs status acme shop', status, { ...app, repoAccess: false, suspended: true }, 'Resume it'],
      ['vcs status acme shop', status, { ...app, repoAccess: false }, 'Grant it the repository'],
      ['provider2 status acme shop', connection, { ...connected, connected: false }, 'lilac provider2 connect'],
      ['provider2 status acme shop', connection, { ...connected, trouble: 'Gone.' }, 'Connect again'],
      ['provider2 status acme shop', connection, { ...connected, repoAccess: false }, 'Connect an account that reads'],
    ])('lilac %s: %s %j', async (line, path, body, hint) => {
      using platform = await start({ [path]: { body } });
      const { exitCode, out, err } = await lilac(line, platform.environment);
      expect(exitCode).toBe(0);
      expect(err).toContain(hint);
      expect(out).not.toContain(hint);
      expect(await lilac(`${line} --json`, platform.environment)).toMatchObject({ exitCode: 0, err: '' });
    });

    it('and nothing where nothing is', async () => {
      using platform = await start({ [status]: { body: app }, [connection]: { body: connected } });
      for (const line of ['vcs status acme shop', 'provider2 status acme shop', 'vcs installations']) {
        expect(await lilac(line, platform.environment)).toMatchObject({ exitCode: 0, err: '' });
      }
    });
  });

  it('is how to get a session where a key will not do', async () => {
    const body = { code: 'CA006', message: 'This endpoint needs a signed-in person; API keys are refused.' };
    using platform = await start({ '/api/vcs-app/install': { status: 403, body } });
    const { exitCode, err } = await lilac('vcs install', platform.environment);
    expect(exitCode).toBe(1);
    expect(err).toContain('sign in with "lilac login"');
  });

  it('is how old a list is that the host did not give now, also beside JSON', async () => {
    const body = [{ id: 1, name: 'shop', full_name: 'acme/shop', private: true, default_branch: 'main' }];
    const headers = { 'x-as-of': '2026-11-15T12:00:00.000Z' };
    using platform = await start({ [repositories('vcs-app')]: { body, headers } });
    for (const line of ['vcs repos', 'vcs repos --json']) {
      const { exitCode, out, err } = await lilac(line, platform.environment);
      expect([exitCode, err]).toEqual([
        0,
        'The host does not answer. This is what it said at 2026-11-15T12:00:00.000Z.\n',
      ]);
      expect(out).toContain('acme/shop');
    }
  });

  it('is which command lists what a word is missing for', async () => {
    using platform = await start();
    const { exitCode, err } = await lilac('provider2 link', platform.environment);
    expect(exitCode).toBe(2);
    expect(err).toContain('Missing: connection-id. "lilac provider2 own-connections" lists what there is.');
  });

  it('is whose part of a list is missing', async () => {
    using platform = await start({ [repositories('vcs-app')]: { body: [], headers: { 'x-partial': 'acme,z%C3%BC' } } });
    const { err } = await lilac('vcs repos', platform.environment);
    expect(err).toBe('What acme, zü reaches is missing here: the host did not give it.\n');
  });

  describe('after creating an application that waits for pushes', () => {
    const created = { id: 'app_1', name: 'shop', status: 'pending', url: 'https://shop.example.org' };
    const create = 'apps create shop https://git.example.org/acme/shop --auto-deploy-on-push';
    const trouble = 'Pushes are not deployed by themselves: none may add a webhook.';

    it.each([
      [['waiting', null], ['failed', trouble], '', `${trouble}\n`],
      [['waiting', null], ['failed', trouble], ' --json', `${trouble}\n`],
      [['waiting', null], ['ready', null], '', ''],
    ])('is whether they will come, once it is known: %j, %j%s', async (first, then, form, said) => {
      const answers = [first, then].map(([push_status, push_trouble]) => ({ body: { push_status, push_trouble } }));
      using platform = await start({
        '/api/applications/create': { status: 201, body: created },
        '/api/applications/get': () => answers.shift()!,
      });
      const { exitCode, out, err } = await lilac(create + form, platform.environment);
      expect([exitCode, err]).toEqual([0, said]);
      expect(out).toContain('app_1');
      expect(platform.received.at(-1)).toMatchObject({ body: { applicationId: 'app_1' } });
    });

    it('is nothing where none are wanted, and no failure where it cannot be asked', async () => {
      using platform = await start({
        '/api/applications/create': { status: 201, body: created },
        '/api/applications/get': { status: 503, body: { code: 'SV002', message: 'Later.' } },
      });
      expect(await lilac(create, platform.environment)).toMatchObject({ exitCode: 0, err: '' });
      const asked = platform.received.length;
      await lilac(create.replace(' --auto-deploy-on-push', ''), platform.environment);
      expect(platform.received).toHaveLength(asked + 1);
    });
  });

  it('tells operators of their commands', async () => {
    const { out } = await lilac('--help');
    for (const word of ['setup', 'show', 'set', 'check', 'remove'])
      expect(out).toMatch(new RegExp(`vcs\\s+${word}\\b`));
  });

  it('has the branch in a list of environments on 80 columns', async () => {
    const environment = {
      id: 'env_01m7fvrwmrg7wnv63kbcmaa4c1',
      name: 'feature-cart',
      status: 'active',
      url: 'https://feature-cart-shop.apps.example.org',
      is_production: false,
      vcs_branch: 'feature/cart',
    };
    using platform = await start({ '/api/environments': { body: [environment] } });
    const { out } = await lilac('envs list app_1', platform.environment, { width: 80 });
    expect(out).toContain('feature/cart');
    expect(out).toContain(environment.url);
  });
});
