import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findProgram } from '../server/build/find-program.mjs';
import { migrationNames } from '../server/src/db/migrate.ts';
import { startS3Server, type S3Server } from '../server/src/objects/s3/testing/start-s3-server.ts';
import { startEmbeddedStore, stopEmbeddedStore } from '../server/src/store/embedded-store.ts';
import { createAccount, readFolders, startWriting, type Account, type Writer } from './acknowledged-writes.ts';
import { createDeployer, visit, type Application, type Deployer } from './deploying.ts';
import { keepReading } from './keep-reading.ts';
import { startLoad, type Load } from './load.ts';
import { findFreePort, startPlatform, until, type Platform } from './platform.ts';
import { hasPrevious, unpackPrevious } from './previous-version.ts';
import { serverApp } from './server-app.ts';

/**
 * An upgrade, host after host, of a platform that serves and is used all the time: the version before, then an edge of
 * this one beside it, then an api and a worker, then the first host itself. All on one PostgreSQL and one bucket.
 */
const main = findProgram();
const homeOf = (host: string) => join(folder, host);

let folder: string;
let store: Awaited<ReturnType<typeof startEmbeddedStore>>;
let s3: S3Server;
let url: string;
let shared: Record<string, string>;
let ports: [number, number, number, number];
let [first, facing, working]: Platform[] = [];
let account: Account;
let deployer: Deployer;
let site: Application;
let server: Application;
let loads: Load[] = [];
const writers: Writer[] = [];

describe.skipIf(!(await hasPrevious()))('hosts that are upgraded one after another', () => {
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'lilac-versions-'));
    const program = await unpackPrevious(folder);
    store = await startEmbeddedStore({
      directory: join(folder, 'store'),
      logFile: join(folder, 'store.log'),
      password: 'theirs',
    });
    s3 = await startS3Server();
    url = `postgresql://lilac:theirs@localhost/postgres?host=${encodeURIComponent(join(folder, 'store', 'data'))}`;
    ports = (await Promise.all(Array.from({ length: 4 }, findFreePort))) as typeof ports;
    shared = {
      LILAC_DATABASE_URL: url,
      LILAC_PUBLIC_URL: `http://localhost:${ports[0]}`,
      LILAC_EDGE_PROCESSES: '1',
      LILAC_RATE_LIMIT: '1000000',
      ...s3.environment,
    };
    first = await startPlatform({ root: program, home: homeOf('first'), port: ports[0], env: shared });
    account = await createAccount(first);
    deployer = createDeployer(first, account);
    site = await deployer.createFromFiles('Site', page('release 0'), { deploymentType: 'static' });
    server = await deployer.createFromFiles('Server', serverApp('release 0'), { deploymentType: 'container' });
    for (const each of [site, server]) await deployer.healthy((await deployer.newest(each)).id);
    loads = [site, server].map(({ url }) => startLoad({ url, connections: 2, pauseMs: 50, isRight }));
  }, 300_000);
  afterAll(async () => {
    await Promise.all([...writers, ...loads].map((each) => each.stop()));
    for (const host of [facing, working, first]) await host?.[Symbol.asyncDispose]();
    await s3?.[Symbol.asyncDispose]();
    if (store) await stopEmbeddedStore(store.process);
  });

  it('whichever comes first brings the store up to date, though it is only an edge', async () => {
    expect(await newestMigration()).not.toBe(migrationNames().at(-1));
    const writer = startWriter('while it is brought up to date');
    const reader = keepReading(deployer, server);
    await until('the version before has prepared what it asks', () => reader.rounds() > 2);
    facing = await startHost('facing', 'edge', ports[1], {});
    expect(await newestMigration()).toBe(migrationNames().at(-1));
    const rounds = reader.rounds();
    await until('it is asked for more', () => reader.rounds() > rounds + 2);
    await reader.stop();
    expect(reader.failures).toEqual([]);
    expect(await served()).toEqual(Array(4).fill('release 0'));
    await writesOn(writer);
  });

  it('both versions release, and each release is served by the edges of both', async () => {
    const apiListen = { LILAC_API_LISTEN: `127.0.0.1:${ports[3]}` };
    working = await startHost('working', 'api,worker', ports[2], apiListen);
    expect(await servedAfter(deployer, 'release 1')).toEqual(Array(4).fill('release 1'));
    expect(await servedAfter(createDeployer(facing!, account), 'release 2')).toEqual(Array(4).fill('release 2'));
  });

  it('the version before starts again on the newer store, and goes on', async () => {
    const writer = startWriter('while it is started again');
    const { api, worker, edge } = first!.pids();
    const victims = [...api!, ...worker!, ...edge!];
    for (const victim of victims) process.kill(victim, 'SIGKILL');
    await until(
      'none of them is there',
      () => !victims.some((pid) => Object.values(first!.pids()).flat().includes(pid)),
    );
    await writesOn(writer);
    expect(await servedAfter(deployer, 'release 3')).toEqual(Array(4).fill('release 3'));
  });

  it('all of this version: nothing that was acknowledged is lost, and nobody was turned away', async () => {
    const tallies = await Promise.all(loads.map((load) => load.stop()));
    await first!.stop();
    first = await startPlatform({ home: homeOf('first'), port: ports[0], env: shared });
    expect(await served()).toEqual(Array(4).fill('release 3'));
    expect(await servedAfter(createDeployer(first, account), 'release 4')).toEqual(Array(4).fill('release 4'));
    const folders = await readFolders(first.url, account);
    const acknowledged = writers.flatMap((writer) => [...writer.acknowledged]);
    expect(acknowledged.filter((name) => !folders.has(name))).toEqual([]);
    // Those of the edge that was killed.
    for (const { failures } of tallies) expect(failures.length).toBeLessThanOrEqual(2);
  });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const isRight = ({ body }: { body: string }) => /^release \d$/.test(body);
const page = (text: string) => ({ 'index.html': text });
const facingUrl = ({ url }: Application) => `http://${new URL(url).hostname}:${ports[1]}`;

function startHost(host: string, roles: string, port: number, env: Record<string, string>): Promise<Platform> {
  mkdirSync(join(homeOf(host), 'secrets'), { recursive: true, mode: 0o700 });
  copyFileSync(join(homeOf('first'), 'secrets', 'keyring.json'), join(homeOf(host), 'secrets', 'keyring.json'));
  const argv: [string, ...string[]] = [process.execPath, main, 'server', '--roles', roles];
  return startPlatform({ home: homeOf(host), port, argv, env: { ...shared, ...env } });
}

async function newestMigration(): Promise<string> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string }>('select max(name) as name from kysely_migration');
    return rows[0]!.name;
  } finally {
    await client.end();
  }
}

/** What the edges of both versions serve when a release of a site and one of a server are called healthy. */
async function servedAfter(by: Deployer, text: string): Promise<string[]> {
  const releases = [await by.deploy(site, page(text)), await by.deploy(server, serverApp(text))];
  for (const id of releases) await by.healthy(id);
  return served();
}

async function served(): Promise<string[]> {
  const urls = [site, server].flatMap((application) => [application.url, facingUrl(application)]);
  return (await Promise.all(urls.map((each) => visit(each)))).map(({ body }) => body);
}

function startWriter(label: string): Writer {
  const writer = startWriting(first!.url, account, label);
  writers.push(writer);
  return writer;
}

/** It writes as fast as it can, which is enough when it was seen. */
async function writesOn(writer: Writer): Promise<void> {
  const before = writer.acknowledged.size;
  await until('what is written is acknowledged', () => writer.acknowledged.size > before + 10);
  await writer.stop();
}
