import { once } from 'node:events';
import { chmodSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { pathsOf, readConfig } from '../config.ts';
import { systemClock } from '../lib/clock.ts';
import { readHostStates } from '../modules/vcs/settings/read-settings.ts';
import { requireVcsSetupToken } from '../modules/vcs/settings/setup-link.ts';
import { appSettings, oauthSettings } from '../modules/vcs/settings/testing/app-settings.ts';
import { openKeyring } from '../secrets/key-file.ts';
import { openOperatorBench, type OperatorBench } from '../testing/operator-bench.ts';

let bench: OperatorBench;
beforeEach(async () => {
  bench = await openOperatorBench();
  await bench.createOwner();
});
afterEach(() => bench[Symbol.asyncDispose]());

const file = (name: string, content: string): string => {
  const path = join(bench.folder, name);
  writeFileSync(path, content);
  return path;
};
const vcs = (...argv: string[]) => bench.lilac(['admin', 'vcs', ...argv]);
const setApp = (...more: string[]) => [
  'set',
  'provider1',
  '--app-id',
  String(appSettings.appId),
  '--slug',
  appSettings.slug,
  '--client-id',
  appSettings.clientId,
  '--client-secret-file',
  file('client-secret', `${appSettings.clientSecret}\n`),
  '--private-key-file',
  file('key.pem', appSettings.privateKey),
  ...more,
];
const stored = () =>
  readHostStates({
    store: bench.store,
    config: readConfig({ LILAC_HOME: bench.home }),
    keyring: openKeyring(pathsOf(bench).keyring),
  });

/** As the hosts answer who presents a client, or the key of an app. */
async function startHost(answers: Record<string, { status?: number; body: object }>): Promise<Record<string, string>> {
  const server = createServer((request, response) => {
    const { status = 200, body } = answers[request.url!] ?? { status: 404, body: {} };
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => server.close().closeAllConnections());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { LILAC_VCS_URL: url, LILAC_PROVIDER2_URL: url, LILAC_PROVIDER3_URL: url };
}
const check = (environment: Record<string, string>, ...argv: string[]) =>
  bench.lilac(['admin', 'vcs', 'check', ...argv], { environment: { LILAC_HOME: bench.home, ...environment } });

describe('lilac admin vcs set', () => {
  it('keeps the app of the first host, with a webhook secret that is printed once', async () => {
    const { exitCode, out, err } = await vcs(...setApp('--json'));
    expect({ exitCode, err }).toEqual({ exitCode: 0, err: '' });
    const { webhookSecret } = JSON.parse(out) as { webhookSecret: string };
    expect(webhookSecret).toHaveLength(43);
    expect((await stored()).provider1.settings).toEqual({ ...appSettings, webhookSecret });
    for (const secret of [appSettings.clientSecret, 'PRIVATE KEY']) expect(out).not.toContain(secret);
  });

  it('keeps the webhook secret of the same app, and takes one that is given', async () => {
    await vcs(...setApp('--webhook-secret-file', file('hook', appSettings.webhookSecret)));
    const again = await vcs(...setApp('--json'));
    expect(JSON.parse(again.out)).toEqual({ provider: 'provider1' });
    expect((await stored()).provider1.settings).toEqual(appSettings);
    const other = await vcs(...setApp('--app-id', '4712', '--json'));
    expect(JSON.parse(other.out)).toHaveProperty('webhookSecret');
  });

  it('keeps the client of the others, its secret from standard input', async () => {
    const argv = ['admin', 'vcs', 'set', 'provider3', '--client-id', 'a-client', '--client-secret-file', '-'];
    const { exitCode, out } = await bench.lilac(argv, { input: `${oauthSettings.clientSecret}\n` });
    expect(exitCode).toBe(0);
    expect(out).not.toContain(oauthSettings.clientSecret);
    expect((await stored()).provider3.settings).toEqual(oauthSettings);
  });

  it.each([
    ['half a set', ['set', 'provider1', '--client-id', 'a'], 'appId, slug, privateKey are missing'],
    ['what the host does not have', ['set', 'provider2', '--client-id', 'a', '--slug', 'x'], 'it has no slug'],
    ['another host', ['set', 'github', '--client-id', 'a'], 'provider1, provider2, provider3'],
    ['an id that is none', ['set', 'provider1', '--app-id', 'x', '--client-id', 'a'], 'must be a number'],
  ])('2 on %s', async (_, argv, message) => {
    const { exitCode, out, err } = await vcs(...argv, '--client-secret-file', file('secret', 'secret'));
    expect({ exitCode, out }).toEqual({ exitCode: 2, out: '' });
    expect(err).toContain(message);
    expect((await stored()).provider1.source).toBeNull();
  });

  it('2 on what is lacking: the host first, then what every host needs', async () => {
    const github = await vcs('set', 'github');
    expect(github).toMatchObject({ exitCode: 2, err: expect.stringContaining('provider1, provider2') as string });
    expect(github.err).not.toContain('--client-id');
    expect(await vcs('set', 'provider2')).toMatchObject({
      exitCode: 2,
      err: expect.stringContaining("'--client-id'") as string,
    });
    expect(await vcs('set', 'provider2', '--client-id', 'a')).toMatchObject({
      exitCode: 2,
      err: expect.stringContaining("'--client-secret-file'") as string,
    });
  });

  it('2 when two secrets should come from standard input, 1 when a file is not there or empty', async () => {
    const set = ['set', 'provider1', '--client-id', 'a', '--client-secret-file'];
    expect(await vcs(...set, '-', '--private-key-file', '-')).toMatchObject({ exitCode: 2 });
    const misplaced = await vcs(...set, 'the-secret-itself');
    expect(misplaced).toMatchObject({ exitCode: 1, out: '' });
    expect(misplaced.err).toContain('--client-secret-file cannot be read (ENOENT)');
    expect(misplaced.err).not.toContain('the-secret-itself');
    expect((await vcs(...set, file('empty', '\n'))).err).toContain('--client-secret-file is empty');
  });

  it('refuses a private key that is none, without repeating it', async () => {
    const { exitCode, err } = await vcs(...setApp('--private-key-file', file('no-key', 'not-a-key-at-all')));
    expect(exitCode).toBe(2);
    expect(err).toContain('privateKey must be an RSA key');
    expect(err).not.toContain('not-a-key-at-all');
  });
});

describe('lilac admin vcs check', () => {
  const GITHUB_APP = '/api/v3/app';
  const GITHUB_TOKEN = '/login/oauth/access_token';
  const GITLAB_TOKEN = '/oauth/token';

  it("tells the app's name when the host knows the key and the client", async () => {
    await vcs(...setApp());
    const host = await startHost({
      [GITHUB_APP]: { body: { name: 'Lilac of Acme', slug: appSettings.slug } },
      [GITHUB_TOKEN]: { body: { error: 'bad_verification_code' } },
    });
    const { exitCode, out } = await check(host, 'provider1', '--json');
    expect(exitCode).toBe(0);
    expect(JSON.parse(out)).toEqual([
      { provider: 'provider1', ok: true, found: 'knows the app "Lilac of Acme" and its client' },
    ]);
  });

  it.each([
    [
      'the key is not that of the app',
      { [GITHUB_APP]: { status: 401, body: {} } },
      'its id or its private key is wrong',
    ],
    ['the slug is another', { [GITHUB_APP]: { body: { name: 'X', slug: 'another' } } }, 'another at the host'],
    [
      'the client secret is wrong',
      {
        [GITHUB_APP]: { body: { name: 'X', slug: appSettings.slug } },
        [GITHUB_TOKEN]: { body: { error: 'incorrect_client_credentials' } },
      },
      'incorrect_client_credentials',
    ],
  ])('1 when %s', async (_, answers, message) => {
    await vcs(...setApp());
    const { exitCode, out } = await check(await startHost(answers));
    expect(exitCode).toBe(1);
    expect(out).toContain(message);
    expect(out).not.toContain('The operator');
    expect(out).not.toContain(appSettings.clientSecret);
  });

  it('asks all that are set up, and tells a client that is known from one that is not', async () => {
    const secret = file('secret', oauthSettings.clientSecret);
    await vcs('set', 'provider2', '--client-id', 'a', '--client-secret-file', secret);
    const known = await check(await startHost({ [GITLAB_TOKEN]: { status: 400, body: { error: 'invalid_grant' } } }));
    expect(known).toMatchObject({
      exitCode: 0,
      out: expect.stringMatching(/^✓ provider2 .*knows the client\n$/) as string,
    });
    const unknown = await check(
      await startHost({ [GITLAB_TOKEN]: { status: 401, body: { error: 'invalid_client' } } }),
    );
    expect(unknown).toMatchObject({ exitCode: 1, out: expect.stringContaining('invalid_client') as string });
  });

  it('1 when the host does not answer, and when nothing is set up', async () => {
    expect(await check({})).toMatchObject({ exitCode: 1, err: expect.stringContaining('set up') as string });
    await vcs(...setApp());
    const { exitCode, out } = await check({ LILAC_VCS_URL: 'http://127.0.0.1:9' });
    expect(exitCode).toBe(1);
    expect(out).toContain('✗ provider1 (http://127.0.0.1:9)');
  });
});

describe('lilac admin vcs show', () => {
  it('tells what is set up and what to enter at the hosts, and no secret', async () => {
    await vcs(...setApp('--webhook-secret-file', file('hook', appSettings.webhookSecret)));
    const shown = await vcs('show');
    expect(shown.out).toContain('provider1  https://github.com: set up as the app lilac-of-acme (id 4711)');
    expect(shown.out).toContain('http://localhost:7080/api/vcs-app/webhook');
    expect(shown.out).toContain('provider2  https://gitlab.com: not set up');
    expect(shown.out).toContain('http://localhost:7080/api/provider2/callback');
    const { out } = await vcs('show', '--json');
    expect(JSON.parse(out)).toMatchObject({
      provider1: {
        configured: true,
        enabled: true,
        source: 'store',
        trouble: null,
        appId: 4711,
        slug: 'lilac-of-acme',
      },
      provider3: { configured: false, source: null },
    });
    for (const secret of [appSettings.clientSecret, appSettings.webhookSecret, 'PRIVATE KEY']) {
      expect(shown.out + out).not.toContain(secret);
    }
  });

  it('shows one host alone where it is named', async () => {
    const { exitCode, out } = await vcs('show', 'provider2');
    expect(exitCode).toBe(0);
    expect(out).toMatch(/^provider2 /);
    expect(out).not.toContain('provider1');
    expect(Object.keys(JSON.parse((await vcs('show', 'provider2', '--json')).out) as object)).toEqual(['provider2']);
  });

  it('says why the file of the operator cannot be used', async () => {
    const path = file('hosts.json', JSON.stringify({ provider2: oauthSettings }));
    chmodSync(path, 0o644);
    const environment = { LILAC_HOME: bench.home, LILAC_VCS_APPS_FILE: path };
    const shown = await bench.lilac(['admin', 'vcs', 'show'], { environment });
    expect(shown.out).toContain('chmod o=');
    chmodSync(path, 0o600);
    const mended = await bench.lilac(['admin', 'vcs', 'show'], { environment });
    expect(mended.out).toContain('set up as a-client, by the file of LILAC_VCS_APPS_FILE');
    const remove = await bench.lilac(['admin', 'vcs', 'remove', 'provider2'], { environment });
    expect(remove).toMatchObject({ exitCode: 1, err: expect.stringContaining('Change it there') as string });
  });
});

describe('lilac admin vcs remove', () => {
  it('forgets a host, and says so when there is nothing to forget', async () => {
    await vcs(...setApp());
    expect(await vcs('remove', 'provider1')).toMatchObject({ exitCode: 0 });
    expect((await stored()).provider1.source).toBeNull();
    expect(await vcs('remove', 'provider1')).toMatchObject({ exitCode: 1, out: '' });
  });
});

describe('lilac admin vcs setup', () => {
  it('prints a link that the server takes, until there is a newer one', async () => {
    const tokens: string[] = [];
    for (let times = 0; times < 2; times++) {
      const { out } = await vcs('setup', '--json');
      const url = new URL((JSON.parse(out) as { url: string }).url);
      expect(url.pathname).toBe('/repository-hosts');
      tokens.push(url.hash.slice(1));
    }
    const deps = { store: bench.store, clock: systemClock };
    const take = (setupToken: string) => requireVcsSetupToken(deps, { setupToken, address: '192.0.2.1' });
    await expect(take(tokens[0]!)).rejects.toMatchObject({ code: 'CA002' });
    await take(tokens[1]!);
  });
});
