import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startGitHost } from '../server/src/testing/git-host.ts';
import { createAccount } from './acknowledged-writes.ts';
import { createDeployer, visit, type Application, type Deployer, type Files } from './deploying.ts';
import { startPlatform, until, type Platform } from './platform.ts';
import { serverApp } from './server-app.ts';

/**
 * Servers on the whole platform, as far as `whole-platform.ts` does not try it: repositories, ports, and what goes
 * wrong.
 */
let platform: Platform;
let deployer: Deployer;
const host = await startGitHost();

beforeAll(async () => {
  platform = await startPlatform({
    env: {
      LILAC_RATE_LIMIT: '1000000',
      LILAC_VCS_URL: host.url,
      LILAC_SCALE_DOWN_AFTER: '2s',
      LILAC_DRAIN_WITHIN: '5s',
    },
  });
  deployer = createDeployer(platform, await createAccount(platform));
});
afterAll(async () => {
  await platform?.[Symbol.asyncDispose]();
  await host[Symbol.asyncDispose]();
});

const container = { deploymentType: 'container' } as const;

async function release(name: string, files: Files): Promise<Application> {
  const application = await deployer.createFromFiles(name, files, container);
  await deployer.healthy((await deployer.newest(application)).id);
  return application;
}

async function environmentOf({ environmentId }: Application) {
  const { client, targetOrganisationId } = deployer;
  return client.call('environments.get', { body: { targetOrganisationId, environmentId } });
}

describe('a server', () => {
  it('from a repository is served, and again at the next commit', async () => {
    await host.createRepository('acme/server', asText(serverApp('from git')));
    const application = await deployer.createFromRepository('Repository', `${host.url}/acme/server`, container);
    const { commit_sha } = await deployer.healthy((await deployer.newest(application)).id);
    expect((await visit(application.url)).body).toBe('from git');
    expect(JSON.parse((await visit(application.url, '/env')).body)).toMatchObject({ LILAC_COMMIT_SHA: commit_sha });
    await host.commit('acme/server', { files: asText(serverApp('the next commit')), message: 'next' });
    await deployer.healthy(await deployer.deploy(application));
    expect((await visit(application.url)).body).toBe('the next commit');
  });

  let application: Application;
  it('that listens on a port of its own choice is found', async () => {
    application = await release('Own port', serverApp('mine', { listen: "server.listen(3456, '0.0.0.0')" }));
    expect((await visit(application.url)).body).toBe('mine');
  });

  it('is told who asks by the platform alone', async () => {
    const lie = {
      'x-forwarded-for': '6.6.6.6',
      'x-forwarded-proto': 'https',
      forwarded: 'for=6.6.6.6',
      'x-real-ip': '6.6.6.6',
    };
    const raw = JSON.parse((await visit(application.url, '/headers', lie)).body) as string[];
    const headers = raw.flatMap((name, at) => (at % 2 === 0 ? [[name.toLowerCase(), raw[at + 1]!] as const] : []));
    expect(headers.filter(([name]) => name === 'x-forwarded-for')).toEqual([['x-forwarded-for', '127.0.0.1']]);
    expect(headers.filter(([name]) => name === 'x-forwarded-proto')).toEqual([['x-forwarded-proto', 'http']]);
    expect(headers.map(([, value]) => value)).not.toContain('6.6.6.6');
  });
});

describe('a release that does not come up', () => {
  it.each([
    {
      what: 'ends at once',
      files: { ...serverApp('x'), Procfile: 'web: sh -c "echo I give up >&2; exit 7"\n' },
      told: /exit code 7/,
      lastWords: 'I give up',
    },
    {
      what: 'listens for itself only',
      files: serverApp('x', { listen: "server.listen(process.env.PORT, '127.0.0.1')" }),
      told: /0\.0\.0\.0/,
      lastWords: '127.0.0.1',
    },
  ])('because it $what leaves the old one untouched and tells why', async ({ what, files, told, lastWords }) => {
    const application = await release(`Stays ${what}`, serverApp('the old one'));
    const failed = await deployer.ended(await deployer.deploy(application, files));
    expect(failed).toMatchObject({ status: 'failed', error: expect.stringMatching(told) });
    expect(failed.deployment_logs.join('\n')).toContain(lastWords);
    expect((await visit(application.url)).body).toBe('the old one');
    expect((await environmentOf(application)).status).toBe('degraded');
  });
});

describe('an address with a password', () => {
  it('is shut also by an edge that was stopped when the password was set', async () => {
    const application = await release('Paused', serverApp('the secret page'));
    const [edge] = platform.pids().edge!;
    process.kill(edge!, 'SIGSTOP');
    try {
      // A call may itself come to the edge that is stopped, and wait there for ever: of several, one comes to another.
      const { client, targetOrganisationId } = deployer;
      const { environmentId } = application;
      const body = { targetOrganisationId, environmentId, enabled: true, password: 'open sesame' };
      const setPassword = () => client.call('environments.password', { body });
      await Promise.any(Array.from({ length: 12 }, setPassword));
    } finally {
      process.kill(edge!, 'SIGCONT');
    }
    const pages = await Promise.all(Array.from({ length: 40 }, () => visit(application.url).catch(() => null)));
    expect(pages.filter((page) => page?.status === 200)).toEqual([]);
    expect(pages.filter((page) => page?.status === 401).length).toBeGreaterThan(0);
    await until('another edge has taken its place', () => !platform.pids().edge!.includes(edge!));
  });
});

describe('an instance that misbehaves', () => {
  it('and keeps crashing makes its environment degraded until it recovers', async () => {
    // It crashes as long as its variable says so, and variables come with a release: so the next release mends it.
    const application = await release('Crash loop', serverApp('x'));
    const crashing = serverApp('y', {
      listen: "server.listen(process.env.PORT, '0.0.0.0', () => setTimeout(() => process.exit(4), 1500))",
    });
    await deployer.ended(await deployer.deploy(application, crashing));
    await until('it is degraded', async () => (await environmentOf(application)).trouble !== null);
    expect((await environmentOf(application)).status).toBe('degraded');
    await deployer.healthy(await deployer.deploy(application, serverApp('mended')));
    await until('it is healthy', async () => (await environmentOf(application)).status === 'healthy');
    expect((await visit(application.url)).body).toBe('mended');
  });

  it('with a fork bomb or a disk filler leaves the others answering', async () => {
    const bad = await release('Bad neighbour', serverApp('bad'));
    const good = await release('Good neighbour', serverApp('good'));
    await visit(bad.url, '/fork-bomb');
    void visit(bad.url, '/fill-disk').catch(() => {});
    for (let visits = 0; visits < 50; visits++) expect((await visit(good.url)).body).toBe('good');
    await deployer.healthy(await deployer.deploy(good, serverApp('still good')));
    expect((await visit(good.url)).body).toBe('still good');
  });
});

function asText(files: Files): Record<string, string> {
  return Object.fromEntries(Object.entries(files).map(([path, content]) => [path, String(content)]));
}
