import { join } from 'node:path';
import {
  bubblewrapOptions,
  encodeOptions,
  SHARED_MEMORY,
  type BubblewrapOptions as Wrapping,
  type Descriptors,
} from '../../sandbox/bubblewrap.ts';
import { entrancesOf, type Cgroup } from '../../sandbox/cgroups/cgroup.ts';
import { dropArgv, exportsOf, namespaceArgv } from '../../sandbox/launch.ts';
import { enterSteps, fileSizeSteps, preludeArgv } from '../../sandbox/prelude.ts';
import { SANDBOX_HOME, type Mount } from '../../sandbox/sandbox.ts';
import { readPrograms, sharedPlaces } from '../../sandbox/system-view.ts';
import type { InstanceHost } from './detect-host.ts';
import { inner, scratch } from '../inner-paths.ts';
import { filesOf } from '../held/instance-record.ts';
import type { NetworkLease } from '../instance-networks.ts';
import {
  chooseStage,
  scratchBytes,
  shownFolders,
  shownLimits,
  shownTools,
  stageSteps,
  stageTable,
} from './stage-instance.ts';

export interface InstancePlan {
  host: InstanceHost;
  /** Its folder on this machine. */
  folder: string;
  /** The folder that its output goes to. */
  output: string;
  /** An empty folder of ours, on which each mounts in a mount namespace of its own. */
  stage: string;
  /** What it sees as /etc. */
  settings: string;
  slug: string;
  tools: readonly Mount[];
  uid: number;
  cgroup: Cgroup;
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
const descriptors = { options: 3, status: 4, calls: 5, resolvConf: 6 } as const;

/**
 * What it writes into its memory needs no other bound. Its output, the only thing it writes to the disk, only
 * seems to become longer (`output/output-stream.ts`): this is for one that makes the file seem endless. Less
 * would keep no disk from filling while the supervisor is away, but end whoever has written so much in months:
 * a file is begun anew only when nobody writes.
 */
const LARGEST_FILE_MB = 1024 ** 2;

/** Should the whole machine run out of memory, instances go before the platform and its store. */
const EXPENDABLE = '300';

/** How an instance is started, layer by layer: network, groups, mounts, no privileges, no view, the program. */
export function planInstance(plan: InstancePlan): InstanceLaunch {
  if (!plan.host.bubblewrap) return planBare(plan);
  return plan.host.canStage ? planStaged(plan, plan.host.bubblewrap) : planDirect(plan, plan.host.bubblewrap);
}

function planStaged(plan: InstancePlan, program: string): InstanceLaunch {
  const { host, uid, lease } = plan;
  const stage = chooseStage(plan);
  const shown = shownFolders(plan);
  const mounts = [
    { from: join(stage.seenAt, scratch.app), at: inner.app, isWritable: host.canLayer },
    { from: join(stage.seenAt, scratch.home), at: inner.home, isWritable: true },
    { from: join(stage.seenAt, scratch.tmp), at: inner.tmp, isWritable: true },
    { from: join(stage.seenAt, scratch.shared), at: SHARED_MEMORY, isWritable: true },
    ...shown.map(({ place, at }) => ({ from: join(stage.seenAt, place), at, isWritable: false })),
    ...(plan.cgroup.length > 0
      ? [{ from: join(stage.seenAt, scratch.limits), at: inner.limits, isWritable: false }]
      : []),
  ];
  const argv = [
    ...lease.enter,
    ...namespaceArgv(host.isRoot),
    ...preludeSteps(plan),
    ...stageSteps(plan, stage, shown),
    '--',
    ...(host.isRoot ? dropArgv(uid) : []),
    ...wrapArgv(plan, program),
  ];
  const table = stageTable(plan, stage, [...shown, ...shownLimits(plan)]);
  return { argv: argv as [string, ...string[]], handedOver: wrapOptions(plan, mounts, []), mounts: table };
}

/** A plain user who may not mount: bubblewrap finds the folders by itself, and the tree stays as it is. */
function planDirect(plan: InstancePlan, program: string): InstanceLaunch {
  const memory = [inner.tmp, inner.home, SHARED_MEMORY].map((at) => ({ at, sizeBytes: scratchBytes(plan) }));
  const mounts = [
    { from: plan.slug, at: inner.app, isWritable: false },
    ...[...shownFolders(plan), ...shownLimits(plan)].map(({ from, at }) => ({ from, at, isWritable: false })),
  ];
  const argv = [...plan.lease.enter, ...preludeSteps(plan), '--', ...wrapArgv(plan, program)];
  return { argv: argv as [string, ...string[]], handedOver: wrapOptions(plan, mounts, memory), mounts: null };
}

/** Without bubblewrap, as root: the system is seen, and guarded by its own permissions. */
function planBare(plan: InstancePlan): InstanceLaunch {
  const { lease, uid, cwd, command, env } = plan;
  const stage = { mountedOn: plan.stage, seenAt: SANDBOX_HOME };
  // What is not below /home is seen where it lies, or not at all.
  const tools = shownTools(plan).filter(({ at }) => at.startsWith(`${SANDBOX_HOME}/`));
  const placed = tools.map((tool) => ({ ...tool, place: tool.at.slice(SANDBOX_HOME.length + 1) }));
  const argv = [
    ...lease.enter,
    'unshare',
    '--mount',
    '--propagation',
    'slave',
    '--pid',
    '--ipc',
    '--uts',
    '--fork',
    '--kill-child',
    '--',
    ...preludeSteps(plan),
    ...stageSteps(plan, stage, placed),
    'folder',
    join(SANDBOX_HOME, scratch.tmp),
    inner.tmp,
    ...bareSteps(plan),
    ...(lease.resolvConf ? ['folder', lease.resolvConf, '/etc/resolv.conf'] : []),
    'proc',
    '--',
    ...dropArgv(uid),
    '/bin/sh',
    '-c',
    BARE_FIRST,
    'sh',
    cwd,
    command,
  ];
  return {
    argv: argv as [string, ...string[]],
    handedOver: Buffer.from(exportsOf(env)),
    mounts: stageTable(plan, stage, placed),
  };
}

/** Elsewhere, too, it writes into memory of its own, and meets nobody. */
const bareSteps = (plan: InstancePlan): string[] =>
  sharedPlaces().flatMap((place) => ['scratch', place, `mode=1777,nosuid,nodev,size=${scratchBytes(plan)}`]);

/**
 * The first process where there is no bubblewrap: it does what bubblewrap's would. The variables come as shell
 * text through descriptor 3, and are read by who has nothing to lose by it.
 */
const BARE_FIRST = `
( eval "$(cat <&3)"; cd "$1" || exit; exec /bin/sh -c "$2" 3<&- 4>&- 5>&- 6>&- )
code=$?
echo "{ \\"exit-code\\": $code }" >&4
exit $code
`;

function preludeSteps({ folder, cgroup }: InstancePlan): string[] {
  return [
    ...preludeArgv({ lastDescriptor: descriptors.resolvConf }),
    'note',
    filesOf(folder).process,
    'expendable',
    EXPENDABLE,
    ...fileSizeSteps(LARGEST_FILE_MB),
    ...enterSteps(entrancesOf(cgroup)),
  ];
}

const wrapArgv = ({ command }: InstancePlan, program: string): string[] => [
  program,
  '--args',
  String(descriptors.options),
  '--',
  '/bin/sh',
  '-c',
  command,
];

function wrapOptions(plan: InstancePlan, mounts: Wrapping['mounts'], memory: Wrapping['scratch']): Buffer {
  const { host, lease, env, cwd } = plan;
  const handed: Descriptors = {
    status: descriptors.status,
    calls: host.canFilterCalls ? descriptors.calls : null,
    resolvConf: lease.resolvConf ? descriptors.resolvConf : null,
  };
  const { canForbidNamespaces } = host;
  const own = { system: readPrograms(), mounts, scratch: memory, env, cwd };
  return encodeOptions(bubblewrapOptions({ ...own, canForbidNamespaces, isDetached: true, descriptors: handed }));
}
