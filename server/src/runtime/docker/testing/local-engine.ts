import { closeSync, mkdtempSync, openSync, readdirSync, rmSync } from 'node:fs';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Docker from 'dockerode';
import { run, start, type ChildProcess } from '../../../lib/exec.ts';
import { readIfThere } from '../../../lib/read-if-there.ts';
import { removeTree } from '../../../lib/remove-tree.ts';
import { loadStackImage } from '../../../testing/docker/test-node.ts';
import { eventually } from '../../../testing/eventually.ts';
import { mountsBelow } from '../mount-stage.ts';
import { takeEngineTurn } from './engine-turn.ts';

/** An engine on this machine itself, with folders of its own: its containers are reached as a user's are. */
export interface LocalEngine extends AsyncDisposable {
  socketPath: string;
  docker: Docker;
  /** Ends it, as its service manager or the kernel would; containers go with it unless it was told to leave them. */
  stop(signal: NodeJS.Signals): Promise<void>;
  start(options?: readonly string[]): Promise<void>;
}

const PREFIX = 'lilac-local-engine-';
const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

export async function startLocalEngine(options: readonly string[] = []): Promise<LocalEngine> {
  const giveBack = await takeEngineTurn();
  await removeLeftovers();
  const folder = mkdtempSync(join(tmpdir(), `${PREFIX}${process.pid}-`));
  const socketPath = join(folder, 'docker.sock');
  const docker = new Docker({ socketPath });
  let child: ChildProcess | undefined;
  const engine: LocalEngine = {
    socketPath,
    docker,
    async start(more = []) {
      child = startDaemon(folder, [...options, ...more]);
      await eventually('the engine answers', () => answers(docker));
    },
    async stop(signal) {
      if (!child || child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, 'exit');
      child.kill(signal);
      await gone;
      await eventually(
        'its containerd is gone',
        async () => pidsOf(`${folder}/exec/containerd/containerd.toml`).length === 0,
      );
      // The next engine would take whoever has these pids by now for the last one.
      for (const file of ['pid', 'exec/containerd/containerd.pid']) rmSync(join(folder, file), { force: true });
    },
    async [Symbol.asyncDispose]() {
      try {
        await engine.stop('SIGTERM');
        await removeFolder(folder);
      } finally {
        giveBack();
      }
    },
  };
  try {
    await makeBridge(bridgeOf(folder));
    await engine.start();
    await loadStackImage(docker);
    return engine;
  } catch (error) {
    const log = readIfThere(join(folder, 'log'))?.slice(-3000);
    await engine[Symbol.asyncDispose]();
    throw new Error(`An engine of Docker does not start: ${log}`, { cause: error });
  }
}

function startDaemon(folder: string, more: readonly string[]): ChildProcess {
  const log = openSync(join(folder, 'log'), 'a');
  const roots = [`--data-root=${folder}/data`, `--exec-root=${folder}/exec`, `--pidfile=${folder}/pid`];
  // A bridge of its own: this machine may have another engine, whose bridge `none` would remove.
  const bridge = `--bridge=${bridgeOf(folder)}`;
  const argv = ['dockerd', ...roots, `--host=unix://${folder}/docker.sock`, bridge, ...more] as const;
  const child = start(['setpriv', '--pdeathsig', 'TERM', ...argv], { env: { PATH }, stdio: ['ignore', log, log] });
  closeSync(log);
  return child;
}

const answers = (docker: Docker): Promise<boolean> =>
  docker.ping().then(
    () => true,
    () => false,
  );

/** Of tests that were killed. */
async function removeLeftovers(): Promise<void> {
  for (const name of readdirSync(tmpdir()).filter((each) => each.startsWith(PREFIX))) {
    const pid = name.slice(PREFIX.length).split('-')[0] ?? '';
    if (!readdirSync('/proc').includes(pid)) await removeFolder(join(tmpdir(), name));
  }
}

/** What was started in it knows its path. */
async function removeFolder(folder: string): Promise<void> {
  for (const pid of pidsOf(`${folder}/`)) kill(pid);
  await eventually('nothing of it is mounted', async () => {
    const mounted = mountsBelow(folder);
    if (mounted.length > 0) await run(['umount', '--lazy', '--', ...mounted], { env: { PATH } });
    return mounted.length === 0;
  });
  await run(['ip', 'link', 'delete', bridgeOf(folder)], { env: { PATH } });
  await removeTree(folder);
  rmSync(folder, { recursive: true, force: true });
}

/** By the pid in the name of the folder; names of interfaces are short. */
const bridgeOf = (folder: string): string => `ltb${folder.slice(folder.indexOf(PREFIX) + PREFIX.length).split('-')[0]}`;

async function makeBridge(name: string): Promise<void> {
  // Nobody is in this network: the engine wants one all the same.
  const address = `10.217.${process.pid % 256}.1/24`;
  for (const words of [
    ['link', 'add', 'name', name, 'type', 'bridge'],
    ['address', 'add', address, 'dev', name],
    ['link', 'set', name, 'up'],
  ]) {
    const { exitCode, stderr } = await run(['ip', ...words], { env: { PATH } });
    if (exitCode !== 0) throw new Error(`ip ${words.join(' ')}: ${stderr}`);
  }
}

/** Of processes whose command names it. */
function pidsOf(word: string): number[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.filter((pid) => readIfThere(`/proc/${pid}/cmdline`)?.includes(word)).map(Number);
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It is gone.
  }
}
