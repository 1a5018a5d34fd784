import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { appendFileSync, closeSync, existsSync, mkdirSync, mkdtempSync, openSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { StoreAddress } from '../db/pool.ts';
import { run, start, type ChildProcess } from '../lib/exec.ts';
import { isAlive } from './docker/test-network.ts';
import { findPostgres } from '../store/binaries.ts';
import { initialiseData } from '../store/initialise-data.ts';
import { dataArgument, runsAsRoot, STORE_UID } from '../store/store-user.ts';

/** Two network namespaces that play machines: one with a PostgreSQL, and another that reaches it by a cable. */
export interface TwoMachines extends AsyncDisposable {
  /** By the socket, which is a file: this process reaches it, whatever becomes of the cable. */
  here: StoreAddress;
  /** How the other machine reaches it. */
  url: string;
  /** A program of ours on the other machine, when it has written its first line. */
  startThere(program: string, args: readonly string[]): Promise<void>;
  /** The other machine is gone at once, as when the power fails: nobody hears anything of it any more. */
  loseTheOther(): Promise<void>;
}

const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
const PASSWORD = 'theirs';
const [STORE, OTHER] = ['10.99.0.1', '10.99.0.2'];
/** In a namespace of its own; and what a socket is called after. */
const PORT = 5432;

/** Says why not, so that nobody takes what was skipped for what was tested. */
export async function canMakeMachines(): Promise<boolean> {
  const name = newName();
  const answer = runsAsRoot ? await tryIp('netns', 'add', name) : 'only root may';
  if (answer === null) await tryIp('netns', 'delete', name);
  else console.log(`Skipped: no network namespaces can be made here: ${answer}`);
  return answer === null;
}

export async function openTwoMachines(): Promise<TwoMachines> {
  await removeLeftovers();
  const [one, other] = [newName(), newName()];
  const folder = mkdtempSync(join(tmpdir(), 'lilac-machines-'));
  const there: ChildProcess[] = [];
  let postgres: ChildProcess | undefined;
  async function dispose(): Promise<void> {
    for (const child of there) await end(child, 'SIGKILL');
    if (postgres) await end(postgres, 'SIGQUIT');
    for (const name of [one, other]) await tryIp('netns', 'delete', name);
    rmSync(folder, { recursive: true, force: true });
  }
  try {
    await connectMachines(one, other);
    postgres = await startPostgres(one, folder);
  } catch (error) {
    await dispose();
    throw error;
  }
  return {
    here: { kind: 'socket', directory: dataOf(folder), password: PASSWORD },
    url: `postgresql://lilac:${PASSWORD}@${STORE}:${PORT}/postgres`,
    async startThere(program, args) {
      const argv = [...enter(other), process.execPath, program, ...args] as const;
      const child = start(argv, { env: { PATH }, stdio: ['ignore', 'pipe', 'inherit'] });
      there.push(child);
      await Promise.race([once(child.stdout!, 'data'), once(child, 'exit')]);
      if (child.exitCode !== null) throw new Error(`${program} ended with ${child.exitCode}.`);
    },
    async loseTheOther() {
      await ip('-n', other, 'link', 'set', 'cable', 'down');
      for (const child of there) await end(child, 'SIGKILL');
    },
    [Symbol.asyncDispose]: dispose,
  };
}

const PREFIX = 'lilac-machine-';
const NAMESPACES = '/run/netns';

const newName = (): string => `${PREFIX}${process.pid}-${randomBytes(4).toString('hex')}`;
const dataOf = (folder: string): string => join(folder, 'store', 'data');
/** What runs there ends with this process, however that ends. */
const enter = (name: string, ...words: string[]) =>
  ['nsenter', `--net=${NAMESPACES}/${name}`, '--', 'setpriv', '--pdeathsig=KILL', ...words, '--'] as const;

/** Of tests that were killed. */
async function removeLeftovers(): Promise<void> {
  for (const name of existsSync(NAMESPACES) ? readdirSync(NAMESPACES) : []) {
    const pid = name.startsWith(PREFIX) ? Number(name.slice(PREFIX.length).split('-')[0]) : 0;
    if (pid > 0 && !isAlive(pid)) await tryIp('netns', 'delete', name);
  }
}

async function connectMachines(one: string, other: string): Promise<void> {
  for (const name of [one, other]) await ip('netns', 'add', name);
  await ip('link', 'add', 'cable', 'netns', one, 'type', 'veth', 'peer', 'name', 'cable', 'netns', other);
  for (const [name, address] of [
    [one, STORE],
    [other, OTHER],
  ] as const) {
    await ip('-n', name, 'address', 'add', `${address}/24`, 'dev', 'cable');
    await ip('-n', name, 'link', 'set', 'cable', 'up');
  }
}

/** As an operator has one: it listens at an address itself, and so hears by itself of a machine that is gone. */
async function startPostgres(machine: string, folder: string): Promise<ChildProcess> {
  const data = dataOf(folder);
  const binaries = findPostgres(runsAsRoot);
  mkdirSync(join(folder, 'store'), { mode: 0o700 });
  await initialiseData({ directory: join(folder, 'store'), data, password: PASSWORD, binaries });
  appendFileSync(join(data, 'pg_hba.conf'), 'host all all samenet scram-sha-256\n');
  const settings = { listen_addresses: STORE, port: PORT, unix_socket_directories: dataArgument(data) };
  const words = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const user = [`--reuid=${STORE_UID}`, `--regid=${STORE_UID}`, '--clear-groups'];
  const log = openSync(join(folder, 'store.log'), 'a');
  const argv = [...enter(machine, ...user), binaries.postgres, '-D', dataArgument(data), ...words] as const;
  const child = start(argv, { cwd: data, env: { PATH }, stdio: ['ignore', log, log] });
  closeSync(log);
  return child;
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill(signal);
  await gone;
}

async function ip(...words: string[]): Promise<void> {
  const answer = await tryIp(...words);
  if (answer !== null) throw new Error(`ip ${words.join(' ')}: ${answer}`);
}

/** Null where it went well, else what was said. */
async function tryIp(...words: string[]): Promise<string | null> {
  const { exitCode, stderr } = await run(['ip', ...words], { env: { PATH } });
  return exitCode === 0 ? null : stderr.trim() || `it ended with ${exitCode}`;
}
