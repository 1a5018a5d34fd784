import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findProgram } from '../server/build/find-program.mjs';
import { startS3Server, type S3Server } from '../server/src/objects/s3/testing/start-s3-server.ts';
import { startEmbeddedStore, stopEmbeddedStore } from '../server/src/store/embedded-store.ts';
import { createAccount, readFolders, startWriting, type Account } from './acknowledged-writes.ts';
import { createDeployer, visit, type Application, type Deployer } from './deploying.ts';
import { findFreePort, runServer, startPlatform, until, type Platform } from './platform.ts';
import { serverApp } from './server-app.ts';

/**
 * One platform on three hosts that share nothing but PostgreSQL, a bucket and the key file: one with the api and the
 * worker, one with another api, and one with nothing but an edge, where everybody comes in.
 */
const folder = mkdtempSync(join(tmpdir(), 'lilac-three-'));
const homeOf = (host: string) => join(folder, host);
const main = findProgram();

let store: Awaited<ReturnType<typeof startEmbeddedStore>>;
let s3: S3Server;
let shared: Record<string, string>;
let apiPorts: { working: number; calling: number };
let [working, calling, facing]: Platform[] = [];
let account: Account;
let deployer: Deployer;
let site: Application;

beforeAll(async () => {
  store = await startEmbeddedStore({
    directory: join(folder, 'store'),
    logFile: join(folder, 'store.log'),
    password: 'theirs',
  });
  s3 = await startS3Server();
  const [front, ...ports] = (await Promise.all(Array.from({ length: 5 }, findFreePort))) as [number, ...number[]];
  shared = {
    LILAC_DATABASE_URL: `postgresql://lilac:theirs@localhost/postgres?host=${encodeURIComponent(join(folder, 'store', 'data'))}`,
    LILAC_PUBLIC_URL: `http://localhost:${front}`,
    LILAC_EDGE_PROCESSES: '1',
    LILAC_RATE_LIMIT: '1000000',
    LILAC_TLS_PORT: 'off',
    ...s3.environment,
  };
  apiPorts = { working: ports[2]!, calling: ports[3]! };
  working = await startHost('working', 'api,worker', ports[0]!, listeningAt(apiPorts.working));
  for (const host of ['calling', 'facing']) {
    mkdirSync(join(homeOf(host), 'secrets'), { recursive: true, mode: 0o700 });
    copyFileSync(join(homeOf('working'), 'secrets', 'keyring.json'), join(homeOf(host), 'secrets', 'keyring.json'));
  }
  calling = await startHost('calling', 'api', ports[1]!, listeningAt(apiPorts.calling));
  facing = await startHost('facing', 'edge', front, {});
  account = await createAccount(working);
  deployer = createDeployer(facing, account);
}, 300_000);
afterAll(async () => {
  for (const host of [facing, calling, working]) await host?.[Symbol.asyncDispose]();
  await s3?.[Symbol.asyncDispose]();
  if (store) await stopEmbeddedStore(store.process);
  rmSync(folder, { recursive: true, force: true });
});

function startHost(host: string, roles: string, port: number, env: Record<string, string>): Promise<Platform> {
  const argv: [string, ...string[]] = [process.execPath, main, 'server', '--roles', roles];
  return startPlatform({ home: homeOf(host), port, argv, env: { ...shared, ...env } });
}

const listeningAt = (port: number) => ({ LILAC_API_LISTEN: `127.0.0.1:${port}` });

function takesConnections(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true)).on('error', () => resolve(false));
    socket.on('connect', () => socket.destroy());
  });
}

const page = (text: string) => ({ 'index.html': text, 'large.txt': 'lilac '.repeat(50_000) });

describe('a host with nothing but an edge', () => {
  it('serves sites out of the bucket and passes requests to servers, each as soon as it is called healthy', async () => {
    site = await deployer.createFromFiles('Site', page('one'), { deploymentType: 'static' });
    await deployer.healthy((await deployer.newest(site)).id);
    expect((await visit(site.url)).body).toBe('one');
    expect((await visit(site.url, '/large.txt')).body).toHaveLength(300_000);
    await deployer.healthy(await deployer.deploy(site, page('two')));
    expect((await visit(site.url)).body).toBe('two');
    const server = await deployer.createFromFiles('Server', serverApp('served'), { deploymentType: 'container' });
    await deployer.healthy((await deployer.newest(server)).id);
    expect((await visit(server.url)).body).toContain('served');
  });

  it('shows streams of events as they happen', async () => {
    const deploymentId = await deployer.deploy(site, page('two'));
    const url = new URL(`/api/deployments/${account.organisationId}/${deploymentId}/stream`, facing!.url);
    const response = await fetch(url, { headers: { authorization: `Bearer ${account.token}` } });
    expect(response.headers.get('content-type')).toContain('text/event-stream');
    const shown: string[] = [];
    for await (const part of response.body!.pipeThrough(new TextDecoderStream())) {
      shown.push(part);
      if (shown.join('').includes('"healthy"')) break;
    }
    expect(shown.length).toBeGreaterThan(1);
  });

  it('goes on when an api is killed: what was acknowledged is there, and only what was under way is lost', async () => {
    const writers = ['one', 'two', 'three'].map((label) => startWriting(facing!.url, account, label));
    const goneOn = async () => {
      const before = writers.map(({ acknowledged }) => acknowledged.size);
      await until('all write on', () => writers.every(({ acknowledged }, at) => acknowledged.size > before[at]! + 10));
    };
    await goneOn();
    for (const { host, apiPort } of [
      { host: calling!, apiPort: apiPorts.calling },
      { host: working!, apiPort: apiPorts.working },
    ]) {
      process.kill(host.pids()['api']![0]!, 'SIGKILL');
      await goneOn();
      await until('it takes connections again', () => takesConnections(apiPort));
      await goneOn();
    }
    await Promise.all(writers.map((writer) => writer.stop()));
    const folders = await readFolders(facing!.url, account);
    for (const { acknowledged, failures } of writers) {
      expect([...acknowledged].filter((name) => !folders.has(name))).toEqual([]);
      // One each time.
      expect(failures.slice(2)).toEqual([]);
    }
  });

  it('serves what it has when the bucket is gone and an api has stopped', async () => {
    await Promise.all([calling!.stop(), s3.stop()]);
    expect((await visit(site.url)).body).toBe('two');
  });

  it('is told the truth by the doctor', async () => {
    const { stdout } = await facing!.lilac('doctor', '--json');
    const { checks } = JSON.parse(stdout) as { checks: { id: string; status: string; found: string }[] };
    const found = (id: string) => checks.find((check) => check.id === id);
    expect(found('processes.roles')).toMatchObject({ status: 'ok', found: expect.stringMatching(/^edge \(\d+\)$/) });
    expect(found('network.port')?.status).toBe('ok');
    const other = JSON.parse((await working!.lilac('doctor', '--json')).stdout) as { checks: typeof checks };
    expect(other.checks.find(({ id }) => id === 'network.port')).toMatchObject({ status: 'ok' });
  });
});

it('a host with another key file, or none, does not start and says what to do', async () => {
  const port = String(await findFreePort());
  const refused = await runServer({ ...shared, LILAC_HOME: homeOf('stranger'), LILAC_PORT: port });
  expect(refused.exitCode).toBe(1);
  expect(refused.stderr).toMatch(/no key file at .*copy secrets\/keyring\.json/);
});
