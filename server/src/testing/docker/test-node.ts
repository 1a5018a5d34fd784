import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, readdirSync, readFileSync, rmdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Docker from 'dockerode';
import { run, start, type ChildProcess } from '../../lib/exec.ts';
import { eventually } from '../eventually.ts';
import { ip, isAlive, type TestNetwork } from './test-network.ts';

/** An engine that believes it has a machine of its own: a network, processes and `/run` that only it sees. */
export interface TestNode extends AsyncDisposable {
  address: string;
  socketPath: string;
  docker: Docker;
  /** The process whose network is the node's. */
  pid(): number;
  /** As when the power fails: nothing of it says goodbye. */
  kill(): Promise<void>;
  revive(): Promise<void>;
}

const PREFIX = 'lilac-engine-';
const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
/** What the node does before its engine: the network comes from outside, and then a line. */
const BOOT =
  'mount --make-rprivate / && mount -t tmpfs none /run && ip link set lo up && read -r _ && exec dockerd "$@"';

export async function startNode(network: TestNetwork, index: number): Promise<TestNode> {
  removeLeftovers();
  const folder = mkdtempSync(join(tmpdir(), `${PREFIX}${process.pid}-`));
  const group = folder.slice(tmpdir().length + 1);
  const socketPath = join(folder, 'docker.sock');
  const docker = new Docker({ socketPath });
  const address = network.addressOf(index);
  const boot = () => bootNode({ folder, group, socketPath, network, address });
  let child = await boot();
  const end = async (signal: NodeJS.Signals) => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    child.kill(signal);
    await gone;
  };
  const node: TestNode = {
    address,
    socketPath,
    docker,
    pid: () => child.pid!,
    async kill() {
      await ip('link', 'set', linkOf(child), 'down');
      await end('SIGKILL');
    },
    async revive() {
      child = await boot();
      await eventually('the engine answers', () => answers(docker));
    },
    async [Symbol.asyncDispose]() {
      await end('SIGKILL');
      removeNode(group);
    },
  };
  try {
    await eventually('the engine answers', () => answers(docker));
    await loadStackImage(docker);
    return node;
  } catch (error) {
    const log = readFileSync(join(folder, 'log'), 'utf8').slice(-4000);
    await node[Symbol.asyncDispose]();
    throw new Error(`An engine of Docker does not start: ${log}`, { cause: error });
  }
}

interface Boot {
  folder: string;
  group: string;
  socketPath: string;
  network: TestNetwork;
  address: string;
}

/** All its processes end with the first, and that with this process, however that ends. */
async function bootNode({ folder, group, socketPath, network, address }: Boot): Promise<ChildProcess> {
  rmSync(socketPath, { force: true });
  const log = openSync(join(folder, 'log'), 'a');
  const options = {
    'data-root': join(folder, 'data'),
    'exec-root': '/run/docker',
    pidfile: '/run/docker.pid',
    host: `unix://${socketPath}`,
    'cgroup-parent': group,
    bip: '10.92.0.1/24',
    'default-address-pool': 'base=10.92.128.0/17,size=24',
    'log-level': 'warn',
  };
  const words = Object.entries(options).map(([name, value]) => `--${name}=${value}`);
  const unshare = ['unshare', '--net', '--mount', '--pid', '--fork', '--kill-child=SIGKILL', '--mount-proc'];
  const argv = ['setpriv', '--pdeathsig', 'KILL', ...unshare, 'sh', '-c', BOOT, 'node', ...words];
  const child = start(argv as [string, ...string[]], { env: { PATH }, stdio: ['pipe', log, log] });
  closeSync(log);
  await eventually('it has a network of its own', () => hasOwnNetwork(child.pid!));
  await joinNetwork(child, network, address);
  child.stdin?.end('go\n');
  return child;
}

async function hasOwnNetwork(pid: number): Promise<boolean> {
  const [own, theirs] = await Promise.all([networkOf('self'), networkOf(String(pid))]);
  return theirs !== '' && own !== theirs;
}

const networkOf = async (pid: string): Promise<string> =>
  (await run(['readlink', `/proc/${pid}/ns/net`], { env: { PATH } })).stdout;

const linkOf = (child: ChildProcess): string => `lv${child.pid}`;

async function joinNetwork(child: ChildProcess, network: TestNetwork, address: string): Promise<void> {
  const link = linkOf(child);
  await ip('link', 'add', link, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', String(child.pid));
  await ip('link', 'set', link, 'master', network.bridge, 'up');
  const inside = ['nsenter', `--net=/proc/${child.pid}/ns/net`, 'ip'] as const;
  for (const words of [
    ['address', 'add', `${address}/24`, 'dev', 'eth0'],
    ['link', 'set', 'eth0', 'up'],
    ['route', 'add', 'default', 'via', network.addressOf(1)],
  ]) {
    const { exitCode, stderr } = await run([...inside, ...words], { env: { PATH } });
    if (exitCode !== 0) throw new Error(`ip ${words.join(' ')}: ${stderr}`);
  }
}

const answers = (docker: Docker): Promise<boolean> =>
  docker.ping().then(
    () => true,
    () => false,
  );

/** Made once for all tests, and kept in the cache of whoever runs them. */
export async function loadStackImage(docker: Docker): Promise<void> {
  const script = new URL('../../../../deploy/stack/make-image.mjs', import.meta.url).pathname;
  const env = { ...process.env, PATH };
  const { exitCode, stdout, stderr } = await run([process.execPath, script], { env, timeoutMs: 15 * 60_000 });
  if (exitCode !== 0) throw new Error(`The stack image cannot be made: ${stderr.slice(-2000)}`);
  const done = await docker.loadImage(stdout.trim());
  await new Promise<void>((resolve, reject) => {
    docker.modem.followProgress(done, (error) => (error ? reject(error) : resolve()));
  });
}

/** Of tests that were killed: their processes went with them. */
function removeLeftovers(): void {
  for (const name of readdirSync(tmpdir())) {
    const pid = name.startsWith(PREFIX) ? Number(name.slice(PREFIX.length).split('-')[0]) : 0;
    if (pid > 0 && !isAlive(pid)) removeNode(name);
  }
}

function removeNode(name: string): void {
  removeGroups(name);
  rmSync(join(tmpdir(), name), { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
}

/** Control groups stay behind empty where nobody said goodbye. */
function removeGroups(group: string): void {
  for (const controller of readdirSync('/sys/fs/cgroup')) removeTree(join('/sys/fs/cgroup', controller, group));
}

function removeTree(folder: string): void {
  try {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      if (entry.isDirectory()) removeTree(join(folder, entry.name));
    }
    rmdirSync(folder);
  } catch {
    // It is not there, or somebody is still in it: then it is in nobody's way.
  }
}
