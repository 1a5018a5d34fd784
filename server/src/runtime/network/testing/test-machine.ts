import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readConfig } from '../../../config.ts';
import { run, start, type ChildProcess } from '../../../lib/exec.ts';
import { silentLog } from '../../../lib/log.ts';
import { removeTree } from '../../../lib/remove-tree.ts';
import { createIptables } from '../firewall/iptables.ts';
import { createNftables } from '../firewall/nftables.ts';
import { createHostTools, enterNamespace, NAMESPACES, type HostTools } from '../host-tools.ts';
import { installationId } from '../names.ts';
import { createOwnNetworks, type OwnNetworks, type OwnNetworksDeps } from '../own-networks.ts';
import { probeNetworks } from '../probe-networks.ts';
import { removeSite } from '../prepare-site.ts';

/**
 * A network namespace that plays the machine: bridges, rules and switches of a test are seen by nobody else,
 * and go with it. What it calls the internet is another one, at the end of a cable.
 */
export interface TestMachine extends AsyncDisposable {
  tools: HostTools;
  enter: readonly string[];
  home(): string;
  install(home: string, options?: InstallOptions): OwnNetworks;
  /** Answers every connection with `answer`. */
  serve(enter: readonly string[], options: { port: number; host?: string; answer?: string }): Promise<{ pid: number }>;
  /** What was answered, or the code of the error. */
  call(enter: readonly string[], host: string, port: number): Promise<string>;
  /** A worker of its own that takes and gives back places, ended by SIGKILL so long after its first one. */
  leaseUntilKilled(home: string, ms: number): Promise<void>;
  /** A network beyond the machine, and how to stand in it; the machine has the address `….1` of it. */
  connect(options: { name: string; network: string; isDefault?: boolean }): Promise<{ enter: readonly string[] }>;
}

export type FirewallName = 'nftables' | 'iptables';
export type InstallOptions = Partial<Omit<OwnNetworksDeps, 'config'>> & {
  firewall?: FirewallName;
  subnet?: string;
};

export const PUBLIC_PORT = 7080;

export async function openTestMachine(firewall: FirewallName): Promise<TestMachine> {
  const name = `lilac-test-${randomBytes(4).toString('hex')}`;
  const folder = mkdtempSync(join(tmpdir(), 'network-'));
  const enter = enterNamespace(name);
  const tools = createHostTools(enter);
  const namespaces = [name];
  const homes: string[] = [];
  const installed: OwnNetworks[] = [];
  const servers: ChildProcess[] = [];
  await createHostTools().run(['ip', 'netns', 'add', name]);
  await tools.run(['ip', 'link', 'set', 'lo', 'up']);
  const makers = { nftables: createNftables, iptables: createIptables };
  return {
    tools,
    enter,
    home() {
      const home = mkdtempSync(join(folder, 'home-'));
      homes.push(home);
      return home;
    },
    install(home, { firewall: chosen = firewall, subnet, ...options } = {}) {
      const config = readConfig({
        LILAC_HOME: home,
        LILAC_PORT: String(PUBLIC_PORT),
        LILAC_INSTANCE_SUBNET: subnet ?? '10.213.0.0/16',
      });
      const networks = createOwnNetworks({
        config,
        log: silentLog,
        tools,
        firewalls: [makers[chosen](tools)],
        registry: join(folder, 'registry'),
        readyCount: 1,
        nameServers: () => ({ servers: ['198.51.100.53'], text: null }),
        ...options,
      });
      installed.push(networks);
      return networks;
    },
    async serve(within, { port, host = '0.0.0.0', answer = 'hello' }) {
      const server = startServer(within, { port, host, answer });
      servers.push(server);
      await new Promise((resolve) => server.stdout?.once('data', resolve));
      return { pid: server.pid ?? 0 };
    },
    call,
    async leaseUntilKilled(home, ms) {
      const argv = [process.execPath, LEASER, JSON.stringify({ home, enter, firewall, folder })];
      const worker = start(argv as [string, ...string[]], { env: {}, stdio: ['ignore', 'pipe', 'inherit'] });
      const ended = new Promise((resolve) => worker.once('exit', resolve));
      await new Promise((resolve) => worker.stdout?.once('data', resolve));
      setTimeout(() => worker.kill('SIGKILL'), ms);
      await ended;
    },
    async connect({ name: short, network, isDefault }) {
      const beyond = `${name}-${short}`;
      namespaces.push(beyond);
      await connectNetworks(tools, { beyond, short, network });
      if (isDefault) await tools.run(['ip', 'route', 'add', 'default', 'via', `${network}.2`]);
      return { enter: enterNamespace(beyond) };
    },
    async [Symbol.asyncDispose]() {
      for (const server of servers) server.kill('SIGKILL');
      // What is being made in the background would appear after all was removed.
      for (const networks of installed) await networks.settled();
      const makersHere = [makers[firewall](tools)] as const;
      for (const home of homes) {
        await removeSite({ tools, firewalls: makersHere, registry: join(folder, 'registry') }, installationId(home));
      }
      for (const namespace of namespaces) await createHostTools().run(['ip', 'netns', 'delete', namespace]);
      await removeTree(folder);
    },
  };
}

/** Those that work here; says why where none does. */
export async function findFirewalls(): Promise<FirewallName[]> {
  const abilities = await probeNetworks(createHostTools());
  if ('firewalls' in abilities) return abilities.firewalls.map(({ name }) => name);
  console.warn(`networks of instances are not tested here: ${abilities.reason}`);
  return [];
}

/** The names of all namespaces of an installation. */
export function namespacesOf(home: string): string[] {
  const names = existsSync(NAMESPACES) ? readdirSync(NAMESPACES) : [];
  return names.filter((name) => name.startsWith(`lilac-${installationId(home)}-`)).toSorted();
}

async function connectNetworks(
  tools: HostTools,
  { beyond, short, network }: { beyond: string; short: string; network: string },
): Promise<void> {
  await createHostTools().run(['ip', 'netns', 'add', beyond]);
  await tools.ipBatch([
    `link add ${short} type veth peer name eth0 netns ${beyond}`,
    `addr add ${network}.1/24 dev ${short}`,
    `link set ${short} up`,
  ]);
  await createHostTools().ipBatch(['link set lo up', `addr add ${network}.2/24 dev eth0`, 'link set eth0 up'], beyond);
}

const LEASER = fileURLToPath(new URL('lease-for-ever.ts', import.meta.url));

const SERVER = `
const [port, host, answer] = process.argv.slice(1);
require('node:net').createServer((socket) => {
  socket.on('error', () => {});
  socket.end(answer.replace('{from}', socket.remoteAddress));
}).listen(Number(port), host, () => console.log('listening'));`;

function startServer(
  enter: readonly string[],
  { port, host, answer }: { port: number; host: string; answer: string },
): ChildProcess {
  const argv = [...enter, process.execPath, '-e', SERVER, String(port), host, answer];
  return start(argv as [string, ...string[]], { env: { PATH: SYSTEM_PATH }, stdio: ['ignore', 'pipe', 'inherit'] });
}

const CALLER = `
const [host, port] = process.argv.slice(1);
const socket = require('node:net').connect({ host, port: Number(port), timeout: 1500 });
const tell = (text) => { process.stdout.write(text); process.exit(); };
let answer = '';
socket.on('data', (chunk) => (answer += chunk)).on('end', () => tell(answer));
socket.on('error', (error) => tell(error.code)).on('timeout', () => tell('timeout'));`;

async function call(enter: readonly string[], host: string, port: number): Promise<string> {
  const argv = [...enter, process.execPath, '-e', CALLER, host, String(port)];
  const { stdout, stderr } = await run(argv as [string, ...string[]], { env: { PATH: SYSTEM_PATH } });
  return stdout || stderr;
}

const SYSTEM_PATH = '/usr/sbin:/usr/bin:/sbin:/bin';
