import { once } from 'node:events';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, statSync } from 'node:fs';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { processesOf } from './left-processes.ts';
import { findFreePort, runServer, startPlatform, until, type Platform } from './platform.ts';
import { setUp } from './set-up.ts';

describe('the platform', () => {
  let platform: Platform;
  beforeAll(async () => {
    platform = await startPlatform({ env: { LILAC_EDGE_PROCESSES: '2' } });
  });
  afterAll(() => platform[Symbol.asyncDispose]());

  it('answers on the public port, by name and by address', async () => {
    for (const host of ['localhost', '127.0.0.1', '[::1]']) {
      const response = await fetch(`http://${host}:${platform.port}/api/health`);
      expect(response.status).toBe(200);
      expect(await response.json()).toMatchObject({ status: 'ok' });
    }
  });

  it('says where it is, and how to begin', () => {
    const line =
      platform
        .output()
        .split('\n')
        .find((each) => each.includes('Lilac is ready')) ?? '{}';
    expect(JSON.parse(line)).toMatchObject({
      console: platform.url,
      home: platform.home,
      setupLink: expect.stringMatching(new RegExp(`^${platform.url}/setup#.{30,}`)),
      next: [
        expect.stringContaining('npx lilac admin owner create'),
        expect.stringContaining('npx lilac admin session create'),
        expect.stringContaining('npx lilac doctor'),
      ],
    });
  });

  it('keeps its folder, its secrets and its socket to itself', () => {
    const modes = ['', 'run/api.sock', 'secrets/store-password', 'secrets/keyring.json'].map(
      (path) => statSync(join(platform.home, path)).mode & 0o777,
    );
    expect(modes).toEqual([0o700, 0o600, 0o600, 0o600]);
  });

  it('runs one process of each role, two edges as told, and the store as nobody in particular', () => {
    const pids = platform.pids();
    expect(Object.fromEntries(Object.entries(pids).map(([role, list]) => [role, list.length]))).toEqual({
      supervisor: 1,
      store: 1,
      api: 1,
      worker: 1,
      edge: 2,
    });
    expect(statSync(`/proc/${pids.store![0]}`).uid).not.toBe(0);
  });

  it('refuses a second one on the same home, and says who has it', async () => {
    const port = String(await findFreePort());
    const { exitCode, stderr } = await runServer({ LILAC_HOME: platform.home, LILAC_PORT: port });
    expect(exitCode).toBe(1);
    expect(stderr).toContain(`process ${platform.supervisorPid}`);
  });

  it('is refused the port of another one of the same user, though both could share it', async () => {
    await using home = scratchHome();
    const { exitCode, stderr } = await runServer({ LILAC_HOME: home.path, LILAC_PORT: String(platform.port) });
    expect(exitCode).toBe(1);
    expect(stderr).toContain('LILAC_PORT');
  });

  it('spreads connections over its edges', async () => {
    const before = platform.pids().edge!.map(countSockets);
    const connections = await Promise.all(Array.from({ length: 40 }, () => openConnection(platform.port)));
    const gained = () => platform.pids().edge!.map((pid, edge) => countSockets(pid) - before[edge]!);
    await until('all are accepted', () => gained().reduce((sum, count) => sum + count) >= 40);
    expect(Math.min(...gained())).toBeGreaterThan(5);
    for (const connection of connections) connection.destroy();
  });

  it('413 for a body that is too large, every time', async () => {
    for (let round = 0; round < 20; round++) {
      const response = await fetch(`${platform.url}/api/auth/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: 'x'.repeat(3_000_000),
      });
      expect(response.status).toBe(413);
      expect(await response.json()).toMatchObject({ code: 'LM001' });
    }
  });
});

describe('Ctrl-C', () => {
  it('ends everything, however often it is pressed', async () => {
    await using platform = await startPlatform();
    process.kill(-platform.supervisorPid, 'SIGINT');
    process.kill(-platform.supervisorPid, 'SIGINT');
    const startedAt = Date.now();
    expect(await platform.stop('SIGINT')).toBe(0);
    expect(Date.now() - startedAt).toBeLessThan(10_000);
    expect(processesOf(platform.home)).toEqual([]);
  });

  it('ends everything within ten seconds, though nothing reacts', async () => {
    await using platform = await startPlatform();
    const { supervisor: _supervisor, ...others } = platform.pids();
    for (const pid of Object.values(others).flat()) process.kill(pid, 'SIGSTOP');
    const startedAt = Date.now();
    expect(await platform.stop('SIGINT')).toBe(0);
    expect(Date.now() - startedAt).toBeLessThan(10_000);
    await until('the last process of the store is gone', () => processesOf(platform.home).length === 0);
  });

  it('leaves nothing behind when it comes before all have started', async () => {
    const home = mkdtempSync(join(tmpdir(), 'lilac-e2e-'));
    const starting = startPlatform({ home }).catch((error: Error) => error);
    await until('a role runs', () => processesOf(home).length >= 3);
    process.kill(processesOf(home)[0]!, 'SIGINT');
    expect(await starting).toBeInstanceOf(Error);
    expect(processesOf(home)).toEqual([]);
    rmSync(home, { recursive: true, force: true });
  });
});

describe('a start that cannot work', () => {
  it('is refused when the port is in use, and says which setting to change', async () => {
    await using home = scratchHome();
    const other = createServer().listen(0);
    const { port } = other.address() as AddressInfo;
    const { exitCode, stderr } = await runServer({ LILAC_HOME: home.path, LILAC_PORT: String(port) });
    other.close();
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(new RegExp(`Port ${port} is in use.*LILAC_PORT`));
    expect(processesOf(home.path)).toEqual([]);
  });

  it('is refused with a setting that no edge understands', async () => {
    await using home = scratchHome();
    const port = String(await findFreePort());
    const settings = { LILAC_HOME: home.path, LILAC_PORT: port, LILAC_TRUSTED_PROXIES: 'nonsense' };
    const { exitCode, stderr } = await runServer(settings);
    expect(exitCode).toBe(1);
    expect(stderr).toContain('LILAC_TRUSTED_PROXIES');
    expect(processesOf(home.path)).toEqual([]);
  });
});

it('an open LILAC_HOME is closed at the start', async () => {
  await using home = scratchHome();
  chmodSync(home.path, 0o755);
  await using _platform = await startPlatform({ home: home.path });
  expect(statSync(home.path).mode & 0o777).toBe(0o700);
});

it('npm start starts it, without installing or building again, and Ctrl-C ends it', async () => {
  await using compiled = scratchHome();
  await setUp(compiled.path);
  const ahead = readdirSync(compiled.path, { recursive: true });
  await using platform = await startPlatform({ argv: ['npm', 'start'], env: { NODE_COMPILE_CACHE: compiled.path } });
  expect(platform.output()).not.toMatch(/Installing|Building|Compiling/);
  // But for the few files of the launcher's own.
  const atStart = readdirSync(compiled.path, { recursive: true }).length - ahead.length;
  expect(atStart).toBeLessThan(ahead.length / 5);
  expect((await fetch(`${platform.url}/api/health`)).status).toBe(200);
  const { supervisor: _, store: __, ...roles } = platform.pids();
  const programs = new Set(Object.values(roles).flat().map(programOf));
  expect([...programs]).toEqual([expect.stringMatching(/\/server\/dist\/\w{16}\/main\.mjs$/)]);
  process.kill(-platform.supervisorPid, 'SIGINT');
  expect(await platform.stop('SIGINT')).toBe(0);
  expect(processesOf(platform.home)).toEqual([]);
});

/** The file that it was started with, behind the flags. */
function programOf(pid: number): string | undefined {
  const [, ...words] = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
  return words.find((word) => !word.startsWith('--'));
}

function countSockets(pid: number): number {
  const targets = readdirSync(`/proc/${pid}/fd`).map((fd) => readlinkSync(`/proc/${pid}/fd/${fd}`));
  return targets.filter((target) => target.startsWith('socket:')).length;
}

async function openConnection(port: number): Promise<Socket> {
  const socket = connect(port, 'localhost');
  await once(socket, 'connect');
  return socket;
}

function scratchHome() {
  const path = mkdtempSync(join(tmpdir(), 'lilac-e2e-'));
  return {
    path,
    async [Symbol.asyncDispose]() {
      await until('nothing works there any more', () => processesOf(path).length === 0);
      rmSync(path, { recursive: true, force: true });
    },
  };
}
