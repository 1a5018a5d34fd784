import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { lilac } from '../testing/lilac.ts';
import { startPlatformDouble } from '../testing/start-platform-double.ts';

let cwd: string;
beforeEach(() => (cwd = mkdtempSync(join(tmpdir(), 'lilac-deploy-'))));
afterEach(() => rmSync(cwd, { recursive: true, force: true }));

const environments = [{ id: 'env_1', name: 'production', is_production: true }];
const application = {
  id: 'app_1',
  name: 'Shop',
  source_type: 'vcs',
  vcs_repo_url: 'https://git.example.org/shop',
  url: 'http://shop.example.org',
  environments,
};
const page = (items: object[]) => ({ items, totalItems: items.length, totalPages: 1, currentPage: 1 });

async function startWith(answers: Parameters<typeof startPlatformDouble>[0] = {}) {
  const platform = await startPlatformDouble({
    '/api/applications': { body: page([]) },
    '/api/applications/get': { body: application },
    '/api/environments': { body: environments },
    '/api/environments/get': { body: { id: 'env_1', application_id: 'app_1', url: application.url } },
    '/api/environments/deploy': { body: { id: 'dep_1', environment_id: 'env_1', status: 'pending' } },
    ...answers,
  });
  const environment = { LILAC_API_URL: platform.url, LILAC_TOKEN: 'lc_key' };
  const link = () => {
    const content = { apiUrl: platform.url, organisationId: '-', applicationId: 'app_1', environmentId: 'env_1' };
    writeFileSync(join(cwd, 'lilac.json'), JSON.stringify(content));
  };
  const call = (command: string, circumstances = {}) => lilac(command, environment, { cwd, ...circumstances });
  const paths = () => platform.received.map(({ path }) => path);
  return { call, link, paths, platform, [Symbol.dispose]: () => platform[Symbol.dispose]() };
}

describe('lilac deploy', () => {
  it('deploys the branch of an application of a repository, sends nothing, and says so', async () => {
    using platform = await startWith();
    platform.link();
    const { exitCode, out, err } = await platform.call('deploy --no-wait');
    expect({ exitCode, out }).toEqual({ exitCode: 0, out: 'http://shop.example.org\n' });
    expect(err).toContain('from its repository https://git.example.org/shop: nothing of this folder is sent');
    expect(platform.platform.received.at(-1)).toMatchObject({
      path: '/api/environments/deploy',
      body: { environmentId: 'env_1' },
    });
    expect(platform.paths()).not.toContain('/api/upload/request-url');
  });

  it('answers one JSON document', async () => {
    using platform = await startWith();
    const { out } = await platform.call('deploy --app env_1 --no-wait --json');
    expect(JSON.parse(out)).toEqual({
      status: 'pending',
      url: 'http://shop.example.org',
      application_id: 'app_1',
      environment_id: 'env_1',
      deployment_id: 'dep_1',
    });
  });

  it.each([
    ['something was served before, and says so', true],
    ['nothing was served before, and claims nothing', false],
  ])('1 where it fails and %s', async (_, isLive) => {
    const failed = { id: 'dep_1', status: 'failed', deployment_stage: 'building', error: 'No.', deployment_logs: [] };
    using platform = await startWith({
      '/api/deployments/-/dep_1/stream': {
        headers: { 'content-type': 'text/event-stream' },
        body: 'id: 1\nevent: end\ndata: {"status":"failed"}\n\n',
      },
      '/api/deployments/get': { body: failed },
      '/api/deployments': { body: [{ id: 'dep_0', is_live: isLive }] },
    });
    platform.link();
    const { exitCode, err } = await platform.call('deploy');
    expect(exitCode).toBe(1);
    expect(err.includes('What was served before is still served.')).toBe(isLive);
  });

  it.each([
    ['--name Other', 'leave --name out'],
    ['--type container --var A=1', '--type, --var: only for a new application'],
  ])('2 for %s where the folder is linked', async (flags, message) => {
    using platform = await startWith();
    platform.link();
    const { exitCode, err } = await platform.call(`deploy ${flags}`);
    expect({ exitCode, err }).toMatchObject({ exitCode: 2, err: expect.stringContaining(message) });
    expect(platform.paths()).not.toContain('/api/environments/deploy');
  });

  it.each([
    ['--app a --name b', 'leave one of them out'],
    ['--timeout 0', '--timeout is more than 0'],
    ['--env staging', '--env names an environment'],
    ['none', 'There is no folder'],
  ])('2 for %s where it is not', async (flags, message) => {
    using platform = await startWith();
    const { exitCode, err } = await platform.call(`deploy ${flags}`);
    expect({ exitCode, err }).toMatchObject({ exitCode: 2, err: expect.stringContaining(message) });
  });

  it('2 where the folder is linked to another platform: that link is not replaced', async () => {
    using platform = await startWith();
    const link = {
      apiUrl: 'https://other.example.org',
      organisationId: 'org_1',
      applicationId: 'app_9',
      environmentId: 'env_9',
    };
    writeFileSync(join(cwd, 'lilac.json'), JSON.stringify(link));
    const { exitCode, err } = await platform.call('deploy');
    expect({ exitCode, err }).toMatchObject({ exitCode: 2, err: expect.stringContaining('https://other.example.org') });
    expect(JSON.parse(readFileSync(join(cwd, 'lilac.json'), 'utf8'))).toEqual(link);
  });

  it('says what to do where the application of the link is gone', async () => {
    using platform = await startWith({
      '/api/applications/get': { status: 404, body: { code: 'NF001', message: 'Application not found.' } },
    });
    platform.link();
    const { exitCode, err } = await platform.call('deploy');
    expect({ exitCode, err }).toMatchObject({
      exitCode: 1,
      err: expect.stringContaining('names an application that is gone'),
    });
  });

  it('asks whether an application of the same name is meant, and makes no second one without a word', async () => {
    const twin = { ...application, name: basename(cwd), status: 'healthy', production_environment_id: 'env_1' };
    using platform = await startWith({ '/api/applications': { body: page([twin]) } });
    writeFileSync(join(cwd, 'index.html'), 'x');
    const unasked = await platform.call('deploy');
    expect(unasked).toMatchObject({ exitCode: 2, err: expect.stringContaining('--app app_1') });
    const refused = await platform.call('deploy', { isTerminal: true, typed: ['n'] });
    expect(refused).toMatchObject({ exitCode: 1, err: expect.stringContaining('Nothing was deployed') });
    const meant = await platform.call('deploy --no-wait', { isTerminal: true, typed: ['y'] });
    expect(meant).toMatchObject({ exitCode: 0, out: 'http://shop.example.org\n' });
    expect(JSON.parse(readFileSync(join(cwd, 'lilac.json'), 'utf8'))).toMatchObject({ applicationId: 'app_1' });
  });
});

const deployment = (id: string, more: object) => ({
  id,
  environment_id: 'env_1',
  commit_sha: null,
  status: 'healthy',
  started_at: '2026-01-01T12:00:00.000Z',
  completed_at: `2026-01-01T12:0${id.slice(-1)}:00.000Z`,
  stages: [],
  first_run: null,
  is_live: false,
  can_rollback: false,
  ...more,
});

describe('lilac rollback', () => {
  it('goes to the one before what is served, over those that cannot be served, after a question', async () => {
    const all = [
      deployment('dep_4', { status: 'failed' }),
      deployment('dep_3', { is_live: true, can_rollback: true }),
      deployment('dep_2', {}),
      deployment('dep_1', { can_rollback: true, commit_sha: '0123456789abcdef', commit_message: 'First\nand more' }),
    ];
    using platform = await startWith({
      '/api/deployments': { body: all },
      '/api/deployments/rollback': { body: all[3] },
    });
    platform.link();
    const refused = await platform.call('rollback --no-wait', { isTerminal: true, typed: ['n'] });
    expect(refused.err).toContain('To be served again: dep_1, 0123456 "First", 2026-01-01 12:00 UTC');
    expect(platform.paths()).not.toContain('/api/deployments/rollback');
    await platform.call('rollback --no-wait --yes', { isTerminal: true });
    expect(platform.platform.received.at(-1)).toMatchObject({
      path: '/api/deployments/rollback',
      body: { environmentId: 'env_1', deploymentId: 'dep_1' },
    });
  });

  it('1 where nothing is before it', async () => {
    using platform = await startWith({ '/api/deployments': { body: [deployment('dep_1', { is_live: true })] } });
    platform.link();
    const { exitCode, err } = await platform.call('rollback');
    expect({ exitCode, err }).toMatchObject({ exitCode: 1, err: expect.stringContaining('no earlier deployment') });
  });
});

describe('lilac scale', () => {
  it('says of an answer without the bounds that it is not of this platform', async () => {
    using platform = await startWith({ '/api/environments/scale': { body: { ok: true } } });
    platform.link();
    const { exitCode, out, err } = await platform.call('scale --max 3');
    expect({ exitCode, out }).toEqual({ exitCode: 1, out: '' });
    expect(err).toContain('is not Lilac, or one of another version: /api/environments/scale answered something else');
  });

  it('sets the bounds that are given, of the linked environment, and none where none is', async () => {
    const bounds = { id: 'env_1', min_instances: 0, max_instances: 3 };
    using platform = await startWith({ '/api/environments/scale': { body: bounds } });
    platform.link();
    const { out } = await platform.call('scale --max 3');
    expect(out).toContain('It runs with 0 to 3 instances from now on.');
    expect(platform.platform.received.at(-1)?.body).toEqual({ environmentId: 'env_1', maxInstances: 3 });
    expect(await platform.call('scale')).toMatchObject({ exitCode: 2, err: expect.stringContaining('Give --min') });
    const { err } = await platform.call('scale --min 9');
    expect(err).toContain('--min is a whole number from 0 to 5, not 9.');
  });

  it('says of a static site that it runs no instances', async () => {
    using platform = await startWith({
      '/api/applications/get': { body: { ...application, deployment_type: 'static' } },
      '/api/environments/scale': { body: { id: 'env_1', min_instances: 1, max_instances: 3 } },
    });
    platform.link();
    expect((await platform.call('scale --min 1')).out).toContain('a static site, which runs no instances');
  });
});
