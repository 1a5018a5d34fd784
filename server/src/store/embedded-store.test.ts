import {
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import { connectionOf } from '../db/pool.ts';
import { start } from '../lib/exec.ts';
import { isAlive, waitForExit } from '../lib/process-identity.ts';
import { dataDirectoryOf, findRunning, startEmbeddedStore, stopEmbeddedStore } from './embedded-store.ts';
import { runsAsRoot, STORE_UID, userOptions } from './store-user.ts';

describe('the embedded store', () => {
  it('is reached by its socket only, and runs as an unprivileged user', async () => {
    const options = newHome();
    const { process: server, adopted } = await startEmbeddedStore(options);
    expect(adopted).toBe(false);
    expect(await query(options, 'show listen_addresses')).toEqual([{ listen_addresses: '' }]);
    expect(tcpSocketsOf(server.pid)).toEqual([]);
    expect(statSync(`/proc/${server.pid}`).uid).toBe(runsAsRoot ? STORE_UID : process.getuid?.());
    expect(statSync(options.directory).mode & 0o777).toBe(0o700);
    await stopEmbeddedStore(server);
    expect(isAlive(server)).toBe(false);
  });

  it('refuses who does not know the password', async () => {
    const options = newHome();
    await startEmbeddedStore(options);
    await expect(query({ ...options, password: 'wrong' }, 'select 1')).rejects.toThrow(
      /password authentication failed/,
    );
  });

  it('is adopted when it still runs, and never started twice', async () => {
    const options = newHome();
    const started = await Promise.all([1, 2, 3].map(() => startEmbeddedStore(options)));
    expect(new Set(started.map((store) => store.process.pid)).size).toBe(1);
    expect(started.filter((store) => !store.adopted)).toHaveLength(1);
  });

  it('comes back after kill -9 with everything that was committed', async () => {
    const options = newHome();
    const { process: server } = await startEmbeddedStore(options);
    await query(options, 'create table kept (id int); insert into kept values (1), (2)');
    process.kill(server.pid, 'SIGKILL');
    await waitForExit(server, 5000);
    const again = await startEmbeddedStore(options);
    expect(again.process.pid).not.toBe(server.pid);
    expect(await query(options, 'select count(*)::int as count from kept')).toEqual([{ count: 2 }]);
  });

  it('starts though its old pid belongs to another process of the same user by now', async () => {
    const options = newHome();
    await stopEmbeddedStore((await startEmbeddedStore(options)).process);
    const stranger = start(['sleep', '600'], { env: { PATH: '/usr/bin:/bin' }, ...userOptions(STORE_UID) });
    onTestFinished(() => void stranger.kill('SIGKILL'));
    for (const name of ['postmaster.pid', '.s.PGSQL.5432.lock']) leaveBehind(options, name, `${stranger.pid}\n`);
    const { adopted } = await startEmbeddedStore(options);
    expect(adopted).toBe(false);
    expect(await query(options, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  it('starts though the killed server is not yet buried', async () => {
    const options = newHome();
    await stopEmbeddedStore((await startEmbeddedStore(options)).process);
    const pid = await newZombie();
    for (const name of ['postmaster.pid', '.s.PGSQL.5432.lock']) leaveBehind(options, name, `${pid}\n`);
    await startEmbeddedStore(options);
    expect(await query(options, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  it('starts at once after kill -9, while its other processes are still ending', async () => {
    const options = newHome();
    const { process: server } = await startEmbeddedStore(options);
    process.kill(server.pid, 'SIGKILL');
    await waitForExit(server, 5000);
    await startEmbeddedStore(options);
    expect(await query(options, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  it('begins anew when it was killed before its folder was whole', async () => {
    const options = newHome();
    mkdirSync(join(options.directory, 'data.new', 'base'), { recursive: true });
    writeFileSync(join(options.directory, 'data.new', 'PG_VERSION'), '18\n');
    await startEmbeddedStore(options);
    expect(await query(options, 'select 1 as one')).toEqual([{ one: 1 }]);
    expect(readdirSync(options.directory)).toEqual(['data']);
  });

  it('gives up starting when told to, and leaves nothing running', async () => {
    const options = newHome();
    const giveUp = new AbortController();
    const starting = startEmbeddedStore({ ...options, signal: giveUp.signal });
    giveUp.abort();
    await expect(starting).rejects.toThrow(/abort/i);
    expect(findRunning(options)).toBeNull();
  });

  it('does not touch data of another major version', async () => {
    const options = newHome();
    mkdirSync(dataDirectoryOf(options), { recursive: true });
    leaveBehind(options, 'PG_VERSION', '12\n');
    await expect(startEmbeddedStore(options)).rejects.toThrow(/belongs to PostgreSQL 12/);
  });
});

type Options = ReturnType<typeof newHome>;

function newHome() {
  const home = mkdtempSync(join(tmpdir(), 'lilac-store-'));
  const options = { directory: join(home, 'store'), logFile: join(home, 'store.log'), password: 'secret' };
  onTestFinished(async () => {
    const running = findRunning(options);
    if (running) await stopEmbeddedStore(running);
    rmSync(home, { recursive: true, force: true });
  });
  return options;
}

/** A process of the store's user that has ended and whose parent does not ask how. */
async function newZombie(): Promise<number> {
  // It ends after the shell has become another program, which buries nobody.
  const script = 'sleep 0.5 & echo $!; exec sleep 600';
  const parent = start(['/bin/sh', '-c', script], {
    env: { PATH: '/usr/bin:/bin' },
    stdio: ['ignore', 'pipe', 'ignore'],
    ...userOptions(STORE_UID),
  });
  onTestFinished(() => void parent.kill('SIGKILL'));
  const pid = await new Promise<number>((resolve) => parent.stdout!.once('data', (text) => resolve(Number(text))));
  await expect.poll(() => readFileSync(`/proc/${pid}/stat`, 'utf8'), { timeout: 30_000 }).toMatch(/\) Z /);
  return pid;
}

function leaveBehind(options: Options, name: string, text: string): void {
  const path = join(dataDirectoryOf(options), name);
  writeFileSync(path, text, { mode: 0o600 });
  if (runsAsRoot) chownSync(path, STORE_UID, STORE_UID);
}

async function query(options: Options, text: string): Promise<unknown[]> {
  const address = { kind: 'socket', directory: dataDirectoryOf(options), password: options.password } as const;
  const client = new pg.Client(connectionOf(address));
  await client.connect();
  try {
    return (await client.query(text)).rows as unknown[];
  } finally {
    await client.end();
  }
}

/** Which of a process's descriptors are TCP sockets, IPv4 or IPv6. */
function tcpSocketsOf(pid: number): string[] {
  const tables = ['tcp', 'tcp6'].map((name) => readFileSync(`/proc/${pid}/net/${name}`, 'utf8'));
  const inodes = tables.flatMap((table) => table.split('\n').map((line) => line.trim().split(/\s+/)[9]));
  const sockets = new Set(inodes.filter(Boolean).map((inode) => `socket:[${inode}]`));
  return readdirSync(`/proc/${pid}/fd`)
    .map((fd) => readlinkSync(`/proc/${pid}/fd/${fd}`))
    .filter((target) => sockets.has(target));
}
