import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startGitHost } from '../server/src/testing/git-host.ts';
import { createAccount } from './acknowledged-writes.ts';
import { createDeployer, visit, type Application, type Deployer, type Files } from './deploying.ts';
import { startPlatform, until, type Platform } from './platform.ts';
import { serverApp } from './server-app.ts';
import { openWebSocket } from './websocket.ts';

/** Servers on the whole platform: released, rolled back, scaled, put to sleep, made to misbehave. */
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

function call(application: Application, name: 'scale' | 'password' | 'update', body: object) {
  const { client, targetOrganisationId } = deployer;
  const addressed = { targetOrganisationId, environmentId: application.environmentId };
  return client.call(`environments.${name}`, { body: { ...addressed, ...body } });
}

async function environmentOf({ environmentId }: Application) {
  const { client, targetOrganisationId } = deployer;
  return client.call('environments.get', { body: { targetOrganisationId, environmentId } });
}

const instancesSeen = async (application: Application, visits = 40): Promise<Set<string>> => {
  const seen = new Set<string>();
  await Promise.all(
    Array.from({ length: visits }, async () => seen.add((await visit(application.url, '/instance')).body)),
  );
  return seen;
};

/** Waits for the answer of an instance that was not there before. */
async function another(application: Application, before: string): Promise<string> {
  let now = '';
  await until('another instance answers', async () => {
    const { status, body } = await visit(application.url, '/instance');
    if (status === 200) now = body;
    return status === 200 && body !== before;
  });
  return now;
}

describe('a server', () => {
  it('from an archive is served, released anew, and rolled back', async () => {
    const application = await release('Archive', serverApp('one'));
    expect((await visit(application.url)).body).toBe('one');
    const first = await deployer.newest(application);
    await deployer.healthy(await deployer.deploy(application, serverApp('two')));
    expect((await visit(application.url)).body).toBe('two');
    await deployer.rollBack(application, first.id);
    await deployer.healthy(first.id);
    expect((await visit(application.url)).body).toBe('one');
  });

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

  it('finds its variables byte for byte, and what the platform provides', async () => {
    const odd = 'a "quoted" $HOME \\ value\nwith lines, ünïcode ☂ and = signs';
    const application = await deployer.createFromFiles('Variables', serverApp('x'), {
      ...container,
      environmentVars: { ODD: odd, PORT: '1', NODE_ENV: 'staging' },
    });
    const { id } = await deployer.healthy((await deployer.newest(application)).id);
    const found = JSON.parse((await visit(application.url, '/env')).body) as Record<string, string>;
    expect(found).toMatchObject({
      ODD: odd,
      NODE_ENV: 'staging',
      LILAC_URL: application.url,
      LILAC_ENVIRONMENT: 'production',
      LILAC_DEPLOYMENT_ID: id,
    });
    expect(found.PORT).not.toBe('1');
  });

  it('gets new variables with its next build, and the old ones with a rollback', async () => {
    const application = await release('Next build', serverApp('x'));
    const first = await deployer.newest(application);
    await call(application, 'update', { environmentVars: { COLOUR: 'lilac' } });
    const colour = async () => (JSON.parse((await visit(application.url, '/env')).body) as { COLOUR?: string }).COLOUR;
    expect(await colour()).toBeUndefined();
    await deployer.healthy(await deployer.deploy(application));
    expect(await colour()).toBe('lilac');
    await deployer.rollBack(application, first.id);
    await deployer.healthy(first.id);
    expect(await colour()).toBeUndefined();
  });

  it('that listens on a port of its own choice is found', async () => {
    const application = await release('Own port', serverApp('mine', { listen: "server.listen(3456, '0.0.0.0')" }));
    expect((await visit(application.url)).body).toBe('mine');
  });

  it('is told who asks by the platform alone', async () => {
    const application = await release('Forwarded', serverApp('x'));
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

describe('the range of instances', () => {
  it('takes effect without a build, upwards and downwards', async () => {
    const application = await release('Scaled', serverApp('x'));
    await call(application, 'scale', { minInstances: 3 });
    await until('three answer', async () => (await instancesSeen(application)).size === 3);
    await call(application, 'scale', { minInstances: 1, maxInstances: 1 });
    await until('one answers', async () => (await instancesSeen(application)).size === 1);
    expect(await environmentOf(application)).toMatchObject({ min_instances: 1, max_instances: 1, status: 'healthy' });
  });
});

describe('an address with a password', () => {
  it('opens for who knows it, and shuts for all when the password changes', async () => {
    const application = await release('Locked', serverApp('the secret page'));
    await call(application, 'password', { enabled: true, password: 'open sesame' });
    const shut = await visit(application.url, '/', { accept: 'text/html' });
    expect(shut.status).toBe(401);
    expect(shut.body).toContain('<form');
    expect((await unlock(application, 'wrong')).status).toBe(401);
    const { status, cookie } = await unlock(application, 'open sesame');
    expect(status).toBe(303);
    expect((await visit(application.url, '/', { cookie })).body).toBe('the secret page');
    await call(application, 'password', { enabled: true, password: 'another one' });
    expect((await visit(application.url, '/', { cookie })).status).toBe(401);
    await call(application, 'password', { enabled: false });
    expect((await visit(application.url)).body).toBe('the secret page');
  });

  it('is shut also by an edge that was stopped when the password was set', async () => {
    const application = await release('Paused', serverApp('the secret page'));
    const [edge] = platform.pids().edge!;
    process.kill(edge!, 'SIGSTOP');
    try {
      // A call may itself come to the edge that is stopped, and wait there for ever: of several, one comes to another.
      const setPassword = () => call(application, 'password', { enabled: true, password: 'open sesame' });
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

describe('long-lived connections', () => {
  it('a WebSocket and a stream of events survive an unrelated release', async () => {
    const application = await release('Streams', serverApp('x'));
    const other = await release('Unrelated', serverApp('other'));
    const echo = await openWebSocket(application.url);
    const events = await openEvents(application);
    expect(await echo.say('before')).toBe('before');
    const before = events.count();
    await deployer.healthy(await deployer.deploy(other, serverApp('other again')));
    expect(await echo.say('after')).toBe('after');
    await until('events go on', () => events.count() > before + 10);
    expect([echo.isOpen(), events.isOpen()]).toEqual([true, true]);
    echo.close();
    events.close();
  });

  it('a WebSocket is told when its own instance goes', async () => {
    const application = await release('Told', serverApp('x'));
    const echo = await openWebSocket(application.url);
    expect(await echo.say('hello')).toBe('hello');
    await deployer.healthy(await deployer.deploy(application, serverApp('y')));
    await until('it is told', () => echo.closeCode() === 1001 || !echo.isOpen());
    expect(echo.closeCode()).toBe(1001);
  });
});

describe('an instance that misbehaves', () => {
  it('and crashes is replaced', async () => {
    const application = await release('Crashes', serverApp('x'));
    const before = (await visit(application.url, '/instance')).body;
    await visit(application.url, '/crash');
    expect(await another(application, before)).toMatch(/^ins_/);
  });

  it('and leaks memory is ended at its limit, which is named, and comes back', async () => {
    const application = await release('Leaks', serverApp('x'));
    const before = (await visit(application.url, '/instance')).body;
    await visit(application.url, '/leak');
    await another(application, before);
    const { deployment_logs } = await deployer.newest(application);
    expect(deployment_logs.join('\n')).toMatch(/out of memory/i);
  });

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

async function unlock(application: Application, password: string): Promise<{ status: number; cookie: string }> {
  const { host: name, port } = new URL(application.url);
  const headers = { host: name, 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html' };
  const posted = request({ host: '127.0.0.1', port, path: '/.lilac/unlock', method: 'POST', headers });
  posted.end(new URLSearchParams({ password, next: '/' }).toString());
  const [answer] = (await once(posted, 'response')) as [IncomingMessage];
  answer.resume();
  return { status: answer.statusCode!, cookie: answer.headers['set-cookie']?.[0]?.split(';')[0] ?? '' };
}

async function openEvents(application: Application) {
  const { host: name, port } = new URL(application.url);
  const asked = request({ host: '127.0.0.1', port, path: '/events', headers: { host: name } });
  asked.end();
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  let count = 0;
  let isOpen = true;
  answer.setEncoding('utf8').on('data', (chunk: string) => (count += chunk.split('data:').length - 1));
  answer.on('close', () => (isOpen = false)).on('error', () => {});
  return { count: () => count, isOpen: () => isOpen, close: () => asked.destroy() };
}
