import { statSync } from 'node:fs';
import { join } from 'node:path';
import {
  bubblewrapOptions,
  encodeOptions,
  type BubblewrapOptions as Wrapping,
  type Descriptors,
} from '../../sandbox/bubblewrap.ts';
import { bareProgramArgv, dropArgv, exportsOf, namespaceArgv } from '../../sandbox/launch.ts';
import { enterSteps, fileSizeSteps, preludeArgv } from '../../sandbox/prelude.ts';
import { SANDBOX_HOME, type Mount } from '../../sandbox/sandbox.ts';
import { readSystemView } from '../../sandbox/system-view.ts';
import type { InstanceHost } from './detect-host.ts';
import { inner, scratch } from './inner-paths.ts';
import { filesOf } from './instance-record.ts';
import { mountTable } from './mount-table.ts';
import type { NetworkLease } from './network.ts';

export interface InstancePlan {
  host: InstanceHost;
  /** Its folder on this machine. */
  folder: string;
  /** An empty folder, on which each mounts in a mount namespace of its own. */
  stage: string;
  slug: string;
  tools: readonly Mount[];
  uid: number;
  entrances: readonly string[];
  lease: Pick<NetworkLease, 'enter' | 'resolvConf'>;
  memoryMb: number;
  command: string;
  cwd: string;
  env: Readonly<Record<string, string>>;
}

export interface InstanceLaunch {
  argv: readonly [string, ...string[]];
  /** What descriptor 3 gives: it holds the values of variables, which must be in no argv. */
  handedOver: Buffer;
  /** For `filesOf(folder).mounts`; null where nothing is mounted before the sandbox is shut. */
  mounts: string | null;
}

/** What is handed over, by number. */
export const descriptors = { options: 3, status: 4, calls: 5, resolvConf: 6 } as const;

/** Output is the only thing an instance writes to the disk. */
const LARGEST_FILE_MB = 512;

/** How an instance is started, layer by layer: network, groups, mounts, no privileges, no view, the program. */
export function planInstance(plan: InstancePlan): InstanceLaunch {
  if (!plan.host.bubblewrap) return planBare(plan);
  return plan.host.canStage ? planStaged(plan, plan.host.bubblewrap) : planDirect(plan, plan.host.bubblewrap);
}

function planStaged(plan: InstancePlan, program: string): InstanceLaunch {
  const { host, stage, uid, lease } = plan;
  const base = host.isRoot ? SANDBOX_HOME : stage;
  const mounts = [
    { from: join(base, scratch.app), at: inner.app, isWritable: host.canLayer },
    { from: join(base, scratch.home), at: inner.home, isWritable: true },
    { from: join(base, scratch.tmp), at: inner.tmp, isWritable: true },
    ...placeTools(plan).map(({ place, at }) => ({ from: join(base, place), at, isWritable: false })),
  ];
  const argv = [
    ...lease.enter,
    ...namespaceArgv(host.isRoot),
    ...preludeSteps(plan),
    ...stageSteps(plan),
    '--',
    ...(host.isRoot ? dropArgv(uid) : []),
    ...wrapArgv(plan, program),
  ];
  return { argv: argv as [string, ...string[]], handedOver: wrapOptions(plan, mounts, []), mounts: tableOf(plan) };
}

/** A plain user who may not mount: bubblewrap finds the folders by itself, and the tree stays as it is. */
function planDirect(plan: InstancePlan, program: string): InstanceLaunch {
  const memory = [inner.tmp, inner.home].map((at) => ({ at, sizeBytes: scratchBytes(plan) }));
  const mounts = [
    { from: plan.slug, at: inner.app, isWritable: false },
    ...placeTools(plan).map(({ from, at }) => ({ from, at, isWritable: false })),
  ];
  const argv = [...plan.lease.enter, ...preludeSteps(plan), '--', ...wrapArgv(plan, program)];
  return { argv: argv as [string, ...string[]], handedOver: wrapOptions(plan, mounts, memory), mounts: null };
}

/** Without bubblewrap, as root: the system is seen, and guarded by its own permissions. */
function planBare(plan: InstancePlan): InstanceLaunch {
  const { lease, uid, cwd, command, env } = plan;
  const argv = [
    ...lease.enter,
    ...['unshare', '--mount', '--propagation', 'private', '--pid', '--ipc', '--uts', '--fork', '--kill-child', '--'],
    ...preludeSteps(plan),
    ...stageSteps(plan),
    ...['folder', join(SANDBOX_HOME, scratch.tmp), inner.tmp],
    ...(lease.resolvConf ? ['folder', lease.resolvConf, '/etc/resolv.conf'] : []),
    ...['proc', '--'],
    ...dropArgv(uid),
    ...bareProgramArgv(cwd),
    ...['/bin/sh', '-c', command],
  ];
  return { argv: argv as [string, ...string[]], handedOver: Buffer.from(exportsOf(env)), mounts: tableOf(plan) };
}

function preludeSteps({ folder, entrances, host }: InstancePlan): string[] {
  const lastDescriptor = host.bubblewrap ? descriptors.resolvConf : descriptors.options;
  return [
    ...preludeArgv({ lastDescriptor }),
    ...['note', filesOf(folder).process],
    ...fileSizeSteps(LARGEST_FILE_MB),
    ...enterSteps(entrances),
  ];
}

function stageSteps(plan: InstancePlan): string[] {
  const { stage, folder, uid, host } = plan;
  const options = `mode=755,nosuid,nodev,size=${scratchBytes(plan)}`;
  const owner = host.isRoot ? `+${uid}:+${uid}` : '+0:+0';
  return [
    ...['scratch', stage, options],
    ...['layers', stage, owner],
    ...['table', filesOf(folder).mounts],
    ...placeTools(plan).flatMap(({ from, place, isFolder }) => (isFolder ? [] : ['folder', from, join(stage, place)])),
    ...(host.isRoot ? ['show', stage, SANDBOX_HOME] : []),
  ];
}

/** What an instance writes is memory that it has no more: half of it at most, as the kernel itself does it. */
const scratchBytes = ({ memoryMb }: InstancePlan): number => (memoryMb * 1024 ** 2) / 2;

function tableOf(plan: InstancePlan): string {
  const { stage, slug, host } = plan;
  const folders = placeTools(plan).filter(({ isFolder }) => isFolder);
  return mountTable({ stage, slug, folders, isRoot: host.isRoot, canOverlay: host.canLayer });
}

/** Without bubblewrap, what is not below /home is seen where it lies, or not at all. */
function placeTools({ tools, host }: InstancePlan) {
  return tools.flatMap((mount, index) => {
    const isHome = mount.at.startsWith(`${SANDBOX_HOME}/`);
    if (mount.kind !== 'folder' || (!host.bubblewrap && !isHome)) return [];
    const place = host.bubblewrap ? `.tools/${index}` : mount.at.slice(SANDBOX_HOME.length + 1);
    return [{ from: mount.from, at: mount.at, place, isFolder: statSync(mount.from).isDirectory() }];
  });
}

const wrapArgv = ({ command }: InstancePlan, program: string): string[] => [
  program,
  ...['--args', String(descriptors.options)],
  ...['--', '/bin/sh', '-c', command],
];

function wrapOptions(plan: InstancePlan, mounts: Wrapping['mounts'], memory: Wrapping['scratch']): Buffer {
  const { host, lease, env, cwd } = plan;
  const handed: Descriptors = {
    status: descriptors.status,
    calls: host.canFilterCalls ? descriptors.calls : null,
    resolvConf: lease.resolvConf ? descriptors.resolvConf : null,
  };
  const system = readSystemView().filter(({ path }) => !lease.resolvConf || path !== '/etc/resolv.conf');
  const { canForbidNamespaces } = host;
  const own = { system, mounts, scratch: memory, env, cwd };
  return encodeOptions(bubblewrapOptions({ ...own, canForbidNamespaces, isDetached: true, descriptors: handed }));
}
