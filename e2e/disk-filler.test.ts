import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { run } from '../server/src/lib/exec.ts';
import { createAccount } from './acknowledged-writes.ts';
import { createDeployer, visit, type Application, type Deployer } from './deploying.ts';
import { startPlatform, until, type Platform } from './platform.ts';
import { serverApp } from './server-app.ts';

/** An application that writes as fast as the disk takes it, while the worker, which collects that, is killed. */
let platform: Platform;
let deployer: Deployer;

beforeAll(async () => {
  platform = await startPlatform({ env: { LILAC_RATE_LIMIT: '1000000' } });
  deployer = createDeployer(platform, await createAccount(platform));
});
afterAll(async () => {
  for (const path of probesLeftMounted()) await run(['umount', path], { env: { PATH: process.env['PATH'] } });
  await platform?.[Symbol.asyncDispose]();
});

/** A worker that is killed while it tries what this machine can do leaves that behind. */
const probesLeftMounted = () =>
  readFileSync('/proc/self/mountinfo', 'utf8')
    .split('\n')
    .flatMap((line) => line.split(' ')[4] ?? [])
    .filter((path) => path.startsWith(join(platform.home, 'databases', '.probe-')));

const MEBIBYTE = 1024 ** 2;
/** One that has 256 MiB of one stream on the disk has to wait; what it writes until that is noticed comes to it. */
const LARGEST_MB = 1024;

async function release(name: string): Promise<Application> {
  const application = await deployer.createFromFiles(name, serverApp(name), { deploymentType: 'container' });
  await deployer.healthy((await deployer.newest(application)).id);
  return application;
}

/** What all outputs take of the disk, and how far the longest seems to go. */
function lookAtOutputs() {
  const root = join(platform.home, 'outputs');
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).flatMap(
    (name) => statSync(join(root, name), { throwIfNoEntry: false }) ?? [],
  );
  return {
    usedBytes: files.reduce((sum, { blocks }) => sum + blocks * 512, 0),
    length: Math.max(0, ...files.map(({ size }) => size)),
  };
}

/** Until it is told to end: the most that was taken, and what others answered. */
function watch(other: Application) {
  const seen = { most: 0, answers: new Set<number>(), isOver: false };
  const looking = (async () => {
    for (; !seen.isOver; await delay(20)) seen.most = Math.max(seen.most, lookAtOutputs().usedBytes);
  })();
  const asking = (async () => {
    for (; !seen.isOver; await delay(100)) seen.answers.add((await visit(other.url)).status);
  })();
  return {
    async end() {
      seen.isOver = true;
      await Promise.all([looking, asking]);
      return seen;
    },
  };
}

const workerPid = () => platform.pids()['worker']?.[0];

async function killWorker(): Promise<void> {
  const pid = workerPid()!;
  process.kill(pid, 'SIGKILL');
  await until('another worker is there', () => workerPid() !== undefined && workerPid() !== pid);
}

it('a disk filler stays in its bounds, whenever the worker is killed; others answer, and it answers afterwards', async () => {
  const [filler, other] = [await release('Filler'), await release('Other')];
  const instance = (await visit(filler.url, '/instance')).body;
  const writesOn = async (what: string) => {
    const { length } = lookAtOutputs();
    await until(what, () => lookAtOutputs().length > length + 1024 * MEBIBYTE);
  };
  const watching = watch(other);
  await visit(filler.url, '/flood');
  await writesOn('it has written a gigabyte beside a worker');
  await killWorker();
  await writesOn('it has written a gigabyte without a worker');
  // Again as soon as the next one is there, and again while that one starts.
  for (const waitMs of [0, 500, 1500]) {
    await delay(waitMs);
    await killWorker();
  }
  for (let round = 0; round < 3; round++) await writesOn('it goes on beside the last worker');
  const { most, answers } = await watching.end();
  expect(Math.round(most / MEBIBYTE)).toBeLessThan(LARGEST_MB);
  expect([...answers]).toEqual([200]);
  await until('it can be asked to end that', async () => (await visit(filler.url, '/end-flood')).body === 'calm');
  await until('what it wrote is given back', () => lookAtOutputs().usedBytes < 80 * MEBIBYTE);
  expect((await visit(filler.url, '/instance')).body).toBe(instance);
  expect(readdirSync(join(platform.home, 'instances', instance))).not.toContain('held-back');
  await deployer.healthy(await deployer.deploy(other, serverApp('the next')));
});
