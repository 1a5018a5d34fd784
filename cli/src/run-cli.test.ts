import { describe, expect, it } from 'vitest';
import { Interrupted } from './frame/interrupted.ts';
import { readSettings } from './frame/settings.ts';
import { lilac } from './testing/lilac.ts';
import { startPlatformDouble } from './testing/start-platform-double.ts';

const profileOf = (...ids: string[]) => ({
  '/api/auth/profile': { body: { id: 'usr_1', organisations: ids.map((id) => ({ id, name: `Name of ${id}` })) } },
});
const noApplications = { '/api/applications': { body: { items: [], totalItems: 0, totalPages: 0, currentPage: 1 } } };

describe('lilac <command>', () => {
  it('calls the endpoint with the token, as a command line', async () => {
    using platform = await startPlatformDouble({
      '/api/applications/status': { body: { id: 'app_1', status: 'healthy' } },
    });
    const environment = { LILAC_API_URL: `${platform.url}/`, LILAC_TOKEN: 'lc_key' };
    expect(await lilac('apps status app_1', environment)).toEqual({
      exitCode: 0,
      out: 'Id:      app_1\nStatus:  healthy\n',
      err: '',
    });
    expect(platform.received).toMatchObject([
      { headers: { authorization: 'Bearer lc_key', 'x-client-type': 'cli' }, body: { applicationId: 'app_1' } },
    ]);
  });

  it('prints exactly the answer with --json, before or after the command', async () => {
    using platform = await startPlatformDouble({ '/api/health': { body: { status: 'ok', uptime: 1.5 } } });
    for (const line of ['health --json', '--json health']) {
      const { out } = await lilac(line, { LILAC_API_URL: platform.url });
      expect(JSON.parse(out)).toEqual({ status: 'ok', uptime: 1.5 });
    }
  });

  it('colours what was coloured on a terminal only, and not where NO_COLOR is set', async () => {
    const body = { id: 'dep_1', deployment_logs: ['\u001b[36mvite v7\u001b[39m built'] };
    using platform = await startPlatformDouble({ '/api/deployments/get': { body } });
    const environment = { LILAC_API_URL: platform.url, LILAC_TOKEN: 'lc_key' };
    const get = 'deployments get dep_1';
    expect((await lilac(get, environment, { isTerminal: true })).out).toContain(
      '  \u001b[36mvite v7\u001b[39m built\u001b[0m\n',
    );
    expect((await lilac(get, environment)).out).toContain('  vite v7 built\n');
    expect((await lilac(get, { ...environment, NO_COLOR: '1' }, { isTerminal: true })).out).toContain(
      '  vite v7 built\n',
    );
    expect(JSON.parse((await lilac(`${get} --json`, environment)).out)).toEqual(body);
  });

  it('names the root and the kind of a project that has no framework', async () => {
    const plain = {
      framework: null,
      runtime: null,
      deploymentType: 'static',
      outputDirectory: '',
      packageManager: null,
    };
    const server = { ...plain, runtime: 'python3', deploymentType: 'container', outputDirectory: null };
    const [path, environment] = ['/api/applications/detect-framework', { LILAC_TOKEN: 'lc_key' }];
    for (const [body, expected] of [
      [plain, ['Framework:         static', 'Output directory:  .']],
      [{ ...plain, packageManager: 'npm' }, ['Framework:         node']],
      [server, ['Framework:         python', 'Output directory:  -']],
    ] as const) {
      using platform = await startPlatformDouble({ [path]: { body } });
      const { out } = await lilac('apps detect acme site main', { ...environment, LILAC_API_URL: platform.url });
      for (const line of expected) expect(out).toContain(`${line}\n`);
    }
  });

  it('fills in the organisation of a person who has one', async () => {
    using platform = await startPlatformDouble({ ...profileOf('org_1'), ...noApplications });
    expect(await lilac('apps list', { LILAC_API_URL: platform.url, LILAC_TOKEN: 'session' })).toMatchObject({
      exitCode: 0,
      out: 'None.\n',
    });
    expect(platform.received.at(-1)?.body).toEqual({ targetOrganisationId: 'org_1' });
  });

  it('asks a person of several organisations which one, and takes --org', async () => {
    using platform = await startPlatformDouble({ ...profileOf('org_1', 'org_2'), ...noApplications });
    const environment = { LILAC_API_URL: platform.url, LILAC_TOKEN: 'session' };
    const asked = await lilac('apps list', environment);
    expect(asked).toMatchObject({ exitCode: 2, out: '' });
    expect(asked.err).toContain('--org org_2   Name of org_2');
    expect(await lilac('--org org_2 apps list', environment)).toMatchObject({ exitCode: 0 });
    expect(platform.received.at(-1)?.body).toEqual({ targetOrganisationId: 'org_2' });
  });

  it('leaves the organisation of a key to the platform', async () => {
    using platform = await startPlatformDouble(noApplications);
    await lilac('apps list', { LILAC_API_URL: platform.url, LILAC_TOKEN: 'lc_key' });
    expect(platform.received.map(({ path, body }) => ({ path, body }))).toEqual([
      { path: '/api/applications', body: {} },
    ]);
  });
});

describe('lilac, for people', () => {
  const key = { id: 'key_1', name: 'ci', expires_at: null, revoked_at: null };

  it('tells a live key from one that is revoked or has expired', async () => {
    const past = '2020-01-01T00:00:00.000Z';
    const keys = [key, { ...key, expires_at: past }, { ...key, expires_at: past, revoked_at: past }];
    using platform = await startPlatformDouble({ '/api/api-keys': { body: keys } });
    const environment = { LILAC_API_URL: platform.url, LILAC_TOKEN: 'lc_key' };
    const rows = (await lilac('keys list', environment)).out.split('\n').map((line) => line.split(/ {2,}/));
    expect(rows.slice(0, 4).map((row) => row[2])).toEqual(['STATUS', 'active', 'expired', 'revoked']);
    expect(JSON.parse((await lilac('keys list --json', environment)).out)).toEqual(keys);
  });

  it('says that the secret of a key is shown only now', async () => {
    using platform = await startPlatformDouble({ '/api/api-keys/create': { body: { ...key, secret: 'lc_s' } } });
    const environment = { LILAC_API_URL: platform.url, LILAC_TOKEN: 'lc_key' };
    expect((await lilac('keys create ci', environment)).out).toContain('The secret is shown only now.');
    expect(JSON.parse((await lilac('keys create ci --json', environment)).out)).toMatchObject({ secret: 'lc_s' });
  });

  it('gives a time its unit and a range its words', async () => {
    using platform = await startPlatformDouble({
      '/api/health': { body: { status: 'ok', uptime: 133.4 } },
      '/api/config/containerplatform': { body: { sizes: [], scaling: { minInstances: [0, 5] } } },
    });
    const environment = { LILAC_API_URL: platform.url, LILAC_TOKEN: 'lc_key' };
    expect((await lilac('health', environment)).out).toMatch(/^Uptime: +2 min 13 s$/m);
    expect((await lilac('config sizes', environment)).out).toContain('0 to 5');
  });

  it('looks for the platform on this machine, at LILAC_PORT, unless LILAC_API_URL says where', async () => {
    using platform = await startPlatformDouble({ '/api/health': { body: { status: 'ok', uptime: 1 } } });
    const { port } = new URL(platform.url);
    expect(await lilac('health', { LILAC_PORT: port })).toMatchObject({ exitCode: 0 });
    expect(await lilac('health', { LILAC_PORT: '1', LILAC_API_URL: platform.url })).toMatchObject({ exitCode: 0 });
    expect((await lilac('health', { LILAC_PORT: '1' })).err).toContain('http://localhost:1');
    expect(readSettings({}).localUrl).toBe('http://localhost:7080');
  });
});

const errorOf = async (line: string, environment = {}) =>
  (JSON.parse((await lilac(line, environment)).err) as { error: { code: string } }).error.code;

describe('lilac, when something is wrong', () => {
  it('sends nobody to a list that does not exist: an upload is requested anew', async () => {
    using platform = await startPlatformDouble({
      '/api/applications/create-from-upload': { status: 404, body: { message: 'Upload not found.', code: 'NF001' } },
    });
    const environment = { LILAC_API_URL: platform.url, LILAC_TOKEN: 'lc_key' };
    const { err } = await lilac('apps create-from-upload shop upl_1 static', environment);
    expect(err).toContain('lilac: Upload not found. (NF001)\nRequest a new upload (POST /api/upload/request-url)');
    expect(err).not.toContain('list');
  });

  it('1, the message, the code and what to do, when the platform refuses', async () => {
    using platform = await startPlatformDouble({
      '/api/auth/profile': { status: 401, body: { message: 'A credential is required.', code: 'CA001' } },
    });
    const environment = { LILAC_API_URL: platform.url, LILAC_TOKEN: 'session' };
    const { exitCode, out, err } = await lilac('whoami', environment);
    expect({ exitCode, out }).toEqual({ exitCode: 1, out: '' });
    const step = 'Sign in with "lilac login", or set LILAC_TOKEN to an API key.';
    expect(err).toBe(`lilac: A credential is required. (CA001)\n${step}\n`);
    expect(JSON.parse((await lilac('whoami --json', environment)).err)).toEqual({
      error: {
        code: 'CA001',
        message: 'A credential is required.',
        next: [step],
        status: 401,
        errorId: null,
        retryAfterSeconds: null,
      },
    });
  });

  it('1, and how long to wait, or how to find it in the log', async () => {
    using platform = await startPlatformDouble({
      '/api/health': {
        status: 429,
        headers: { 'retry-after': '30' },
        body: { message: 'Too many requests.', code: 'CA009' },
      },
      '/api/auth/profile': { status: 500, body: { message: 'Wrong.', code: 'SV001', errorId: 'err_1' } },
    });
    expect((await lilac('health', { LILAC_API_URL: platform.url })).err).toContain('Try again in 30 seconds.');
    expect((await lilac('whoami', { LILAC_API_URL: platform.url, LILAC_TOKEN: 'session' })).err).toContain('err_1');
  });

  it('1 when nothing answers, or something else does', async () => {
    const platform = await startPlatformDouble({ '/api/health': { body: '<html>' } });
    expect((await lilac('health', { LILAC_API_URL: platform.url })).err).toContain('is not Lilac');
    platform[Symbol.dispose]();
    const { exitCode, err } = await lilac('health', { LILAC_API_URL: platform.url });
    expect(exitCode).toBe(1);
    expect(err).toContain(`Nothing answers at ${platform.url} (ECONNREFUSED)`);
  });

  it('2 and the nearest command, when there is no such command', async () => {
    expect(await lilac('apps lst')).toEqual({
      exitCode: 2,
      out: '',
      err: 'lilac: There is no command "apps lst". Did you mean "lilac apps list"?\n"lilac apps --help" tells more.\n',
    });
    expect((await lilac('bakup')).err).toContain('"lilac backup"');
    expect((await lilac('envs logs env_1')).err).toContain('Did you mean "lilac logs"?');
    expect((await lilac('frobnicate')).err).not.toContain('Did you mean');
    expect(await lilac('--frobnicate')).toMatchObject({ exitCode: 2 });
  });

  it('130 when it is interrupted, at once and without a word', async () => {
    using platform = await startPlatformDouble({});
    const ending = new AbortController();
    const health = lilac('health', { LILAC_API_URL: platform.url }, { signal: ending.signal });
    ending.abort(new Interrupted('SIGINT'));
    expect(await health).toEqual({ exitCode: 130, out: '', err: '' });
  });

  it('tells programs in JSON, whatever it is', async () => {
    expect(await errorOf('apps lst --json')).toBe('USAGE');
    expect(await errorOf('apps get --json')).toBe('USAGE');
    expect(await errorOf('apps list --json')).toBe('NOT_SIGNED_IN');
    expect(await errorOf('health --json', { LILAC_API_URL: 'http://127.0.0.1:1' })).toBe('UNREACHABLE');
  });

  it('2 when a setting makes no sense', async () => {
    expect(await lilac('health', { LILAC_API_URL: 'localhost' })).toMatchObject({ exitCode: 2 });
    expect(await lilac('health', { LILAC_PORT: 'many' })).toMatchObject({ exitCode: 2 });
  });
});

describe('what the platform refuses', () => {
  const key = { LILAC_TOKEN: 'lc_key' };

  it('is told with the flags of the command that was given', async () => {
    const refusal = { status: 400, body: { message: 'minInstances must be at most 3.', code: 'VA001' } };
    using platform = await startPlatformDouble({
      '/api/environments/scale': refusal,
      '/api/environments/get': { body: { application_id: 'app_1' } },
      '/api/applications/get': { body: { deployment_type: 'container' } },
    });
    const environment = { ...key, LILAC_API_URL: platform.url };
    const { err } = await lilac('envs scale env_1 --min-instances 5', environment);
    expect(err).toContain('--min-instances must be at most 3.');
    expect((await lilac('scale env_1 --min 5', environment)).err).toContain('--min must be at most 3.');
  });

  it('tells once how a plan is changed', async () => {
    const message =
      'The plan "free" does not include API keys. An owner can change the plan (POST /api/organisations/plan), and so can the operator.';
    using platform = await startPlatformDouble({ '/api/api-keys': { status: 402, body: { message, code: 'CA008' } } });
    const { err } = await lilac('keys list', { ...key, LILAC_API_URL: platform.url });
    expect(err).toBe(
      'lilac: The plan "free" does not include API keys. An owner can change the plan (lilac orgs plan), and so can the operator. (CA008)\n',
    );
  });
});

describe('lilac --help', () => {
  it("lists the user's commands and the operator's", async () => {
    const { exitCode, out } = await lilac('--help');
    expect(exitCode).toBe(0);
    expect(out).toMatch(/^ {2}deploy +Deploy a folder/m);
    expect(out).toMatch(/^ {2}apps +list, get, status,/m);
    expect(out).toMatch(/^ {2}admin +owner create, /m);
    expect((await lilac('')).out).toBe(out);
  });

  it('tells what follows a word, and the arguments of a command', async () => {
    expect((await lilac('keys --help')).out).toMatch(/keys create[^]*keys revoke/);
    for (const line of ['env', 'env --help'])
      expect((await lilac(line)).out).toMatch(/^Usage: lilac env <[^]*env pull/);
    expect((await lilac('github --help')).out).toMatch(/^vcs \(GitHub\)[^]*vcs repos/);
    const { out } = await lilac('keys create --help');
    expect(out).toContain('Usage: lilac keys create <name> [options]');
    expect(out).toMatch(/--role VALUE +user \| admin; default user/);
  });

  it('keeps to the width of the terminal', async () => {
    for (const line of ['--help', 'envs --help', 'logs --help', 'envs metrics --help', 'envs password --help']) {
      const { out } = await lilac(line, {}, { width: 70 });
      expect([line, out.split('\n').filter(({ length }) => length > 70)]).toEqual([line, []]);
    }
  });

  it('does not keep a wrong --json from being told as JSON', async () => {
    const { exitCode, err } = await lilac('apps list --json=x');
    expect({ exitCode, code: JSON.parse(err).error.code }).toEqual({ exitCode: 2, code: 'USAGE' });
  });

  it('is not --version', async () => {
    expect((await lilac('--version')).out).toMatch(/^\d+\.\d+\.\d+\n$/);
    expect(JSON.parse((await lilac('--version --json')).out)).toMatchObject({ version: expect.any(String) });
  });
});
