import { existsSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { silentLog } from '../../lib/log.ts';
import { detectHost, type InstanceHost } from '../../runtime/sandbox/detect-host.ts';
import { findObstacle, openEngine } from '../../runtime/docker/engine.ts';
import { openInstanceNetworks } from '../../runtime/network/open-instance-networks.ts';
import { runtimeInUse } from '../../runtime/take-runtime.ts';
import { fail, ok, warn, type CheckedHost, type CheckFamily, type Finding } from './check.ts';
import { lookAtDockerfiles } from './dockerfile-checks.ts';
import { lookAtOtherHosts } from './other-hosts.ts';
import { lookAtTaskNetworks } from './task-networks.ts';

export const instanceChecks: CheckFamily = {
  title: 'Servers',
  checks: [
    { id: 'servers.runtime', title: 'Runtime', look: lookAtRuntime },
    { id: 'servers.dockerfiles', title: 'Dockerfiles', needsHome: mayBuildImages, look: lookAtDockerfiles },
    { id: 'servers.isolation', title: 'Isolation', needsHome: () => true, look: byRuntime(lookAtIsolation) },
    { id: 'servers.calls', title: 'System calls', needsHome: () => true, look: byRuntime(lookAtCalls) },
    { id: 'servers.limits', title: 'Limits', needsHome: () => true, look: byRuntime(lookAtLimits, lookAtSwap) },
    { id: 'servers.files', title: 'Files', needsHome: () => true, look: byRuntime(lookAtFiles, tellOfDisk) },
    { id: 'servers.networks', title: 'Networks', look: lookAtNetworks },
    { id: 'servers.hosts', title: 'Other hosts', needsHome: () => true, look: lookAtOtherHosts },
  ],
};

function mayBuildImages({ runtime }: CheckedHost['config']): boolean {
  return runtime.dockerfiles !== 'off';
}

async function lookAtRuntime({ config }: Pick<CheckedHost, 'config'>): Promise<Finding> {
  const kind = await runtimeInUse(config);
  if (kind === 'sandbox') return ok('sandbox: servers are processes of this machine');
  const { dockerSocket } = config.runtime;
  const obstacle = await findObstacle(openEngine(dockerSocket), dockerSocket);
  if (obstacle !== null) return fail(obstacle, 'Servers cannot be started until then; what runs, runs on.');
  return ok(`${kind}: servers are containers of the engine at ${dockerSocket}`);
}

type Look = (host: CheckedHost) => Finding | Promise<Finding>;

function byEngine(): Finding {
  return ok('held by the Docker engine for every server');
}

/** On processes of this machine one has to look; containers have it from the engine, and in a swarm not all of it. */
function byRuntime(onSandbox: Look, onSwarm: Look = byEngine): Look {
  const looks = { sandbox: onSandbox, docker: byEngine, swarm: onSwarm };
  return async (host) => looks[await runtimeInUse(host.config)](host);
}

function lookAtSwap(): Finding {
  const [, ...areas] = readFileSync('/proc/swaps', 'utf8').trim().split('\n');
  return judgeSwap(areas.length > 0);
}

export function judgeSwap(hasSwap: boolean): Finding {
  if (!hasSwap) return byEngine();
  return warn(
    'memory, processor and processes are held by the Docker engine, swap is not: a server that leaks slows this machine',
    'Switch it off on every machine: swapoff -a, and out of /etc/fstab.',
  );
}

function tellOfDisk(): Finding {
  return warn(
    'a server can fill the disk of the machine that its task is on: Swarm has no limit for that',
    'Give /var/lib/docker a file system of its own on every machine, and bound each container where it can be done (docs/operating.md, "Disk").',
  );
}

/** Before the first start there is no home to try in, and looking must not make one. */
const detect = ({ config, environment }: CheckedHost) =>
  detectHost({ folder: existsSync(config.home) ? config.home : tmpdir(), path: environment.PATH });

async function lookAtIsolation(host: CheckedHost): Promise<Finding> {
  return judgeIsolation(await detect(host));
}

export function judgeIsolation({ bubblewrap, isRoot }: Pick<InstanceHost, 'bubblewrap' | 'isRoot'>): Finding {
  const advice = 'apt-get install bubblewrap, and allow user namespaces (see below).';
  if (bubblewrap) {
    return ok(isRoot ? 'bubblewrap, and a user for each environment' : 'bubblewrap; all run as this user');
  }
  return isRoot
    ? warn(
        'WITHOUT bubblewrap: servers see this machine’s files and are kept apart by users and permissions only',
        advice,
      )
    : warn('servers cannot be run: bubblewrap does not work, and they must not run as the user with the keys', advice);
}

async function lookAtCalls(host: CheckedHost): Promise<Finding> {
  return judgeCalls(await detect(host));
}

export function judgeCalls({
  bubblewrap,
  canFilterCalls,
}: Pick<InstanceHost, 'bubblewrap' | 'canFilterCalls'>): Finding {
  if (canFilterCalls) return ok('filtered: mounting, modules, keyrings, namespaces and the like are refused (seccomp)');
  return bubblewrap
    ? warn(
        'not filtered: this kernel has no seccomp filters',
        'Use a kernel with CONFIG_SECCOMP_FILTER, on x64 or arm64.',
      )
    : warn('not filtered: that needs bubblewrap', 'apt-get install bubblewrap');
}

async function lookAtLimits(host: CheckedHost): Promise<Finding> {
  return judgeLimits(await detect(host));
}

export function judgeLimits({ limited }: Pick<InstanceHost, 'limited'>): Finding {
  const missing = (['memory', 'cpu', 'pids'] as const).filter((name) => !limited.includes(name));
  if (missing.length === 0) return ok('memory, processor and processes are limited for each server');
  return warn(
    `NOT limited: ${missing.join(', ')}. One server can take it all from the others`,
    'Control groups must be writable: run Lilac as root, or from a systemd unit with Delegate=yes.',
  );
}

async function lookAtFiles(host: CheckedHost): Promise<Finding> {
  const { canLayer } = await detect(host);
  if (canLayer) return ok('what a server writes lies in its memory, over its own files, and goes with it');
  return warn(
    'servers can write into /tmp and HOME only, not among their own files: overlay mounts do not work',
    'Put LILAC_HOME on a file system that overlayfs takes, such as ext4 or xfs; a plain user needs Linux 6.6.',
  );
}

async function lookAtNetworks({ config }: CheckedHost): Promise<Finding> {
  if ((await runtimeInUse(config)) === 'swarm') return lookAtTaskNetworks({ config });
  return judgeNetworks(await (await openInstanceNetworks({ config, log: silentLog })).lacking());
}

export function judgeNetworks(lacking: readonly string[]): Finding {
  if (lacking.length === 0)
    return ok(
      'each server has one of its own: it reaches no other server, and of this machine only the public port and names',
    );
  return warn(lacking.join(' '), 'Run Lilac as root, with iproute2 and nftables (or iptables) installed.');
}
