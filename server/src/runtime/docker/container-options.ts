import type { ContainerCreateOptions } from 'dockerode';
import { join } from 'node:path';
import { SHARED_MEMORY } from '../../sandbox/bubblewrap.ts';
import { URGENT_TIMES } from '../../sandbox/cgroups/cgroup.ts';
import type { Mount } from '../../sandbox/sandbox.ts';
import { inner, scratch } from '../inner-paths.ts';
import { outputFilesOf } from '../output/output-files.ts';
import type { InstanceSpec } from '../runtime.ts';
import { STACK_IMAGE } from '../stack-image.ts';
import { callProfile } from './call-profile.ts';

export interface ContainerPlan {
  spec: Pick<InstanceSpec, 'id' | 'command' | 'memoryMb'>;
  labels: Readonly<Record<string, string>>;
  /** The whole environment. */
  env: Readonly<Record<string, string>>;
  cwd: string;
  uid: number;
  /** Where what it may write is mounted on this machine. */
  stage: string;
  output: string;
  tools: readonly Mount[];
  network: { name: string; address: string };
  nameServers: readonly string[];
  /** Null: all there are. */
  cpuQuotaUs: number | null;
}

export const containerName = (instanceId: string): string => `lilac-${instanceId}`;

const PIDS = 1024;
/** Should the whole machine run out of memory, instances go before the platform and its store. */
const EXPENDABLE = 300;
const USUAL_SHARES = 1024;
/** What is written to the disk is the output alone, which is kept small: this is for one that makes a file seem endless. */
const LARGEST_FILE_BYTES = 1024 ** 4;

const OUTPUTS = '/run/lilac';
/** What it writes goes into files of this machine, not through the engine, and is there whatever happens to that. */
const FIRST = `exec >>${OUTPUTS}/stdout 2>>${OUTPUTS}/stderr; exec /bin/sh -c "$1"`;

/** How an instance is asked for: nothing of it can change the image, gain a privilege or take more than its share. */
export function containerOptions(plan: ContainerPlan): ContainerCreateOptions {
  const { spec, labels, env, cwd, uid, network } = plan;
  return {
    name: containerName(spec.id),
    Image: STACK_IMAGE,
    User: `${uid}:${uid}`,
    Hostname: 'lilac',
    Env: Object.entries(env).map(([name, value]) => `${name}=${value}`),
    Entrypoint: ['/bin/sh', '-c', FIRST, 'sh'],
    Cmd: [spec.command],
    WorkingDir: cwd,
    Labels: { ...labels },
    HostConfig: { ...limitsOf(plan), ...guardsOf(plan), Mounts: mountsOf(plan), NetworkMode: network.name },
    NetworkingConfig: { EndpointsConfig: { [network.name]: { IPAMConfig: { IPv4Address: network.address } } } },
  };
}

function limitsOf({ spec, cpuQuotaUs }: ContainerPlan): ContainerCreateOptions['HostConfig'] {
  const bytes = spec.memoryMb * 1024 ** 2;
  return {
    Memory: bytes,
    MemorySwap: bytes,
    PidsLimit: PIDS,
    CpuPeriod: 100_000,
    ...(cpuQuotaUs !== null && { CpuQuota: cpuQuotaUs }),
    CpuShares: USUAL_SHARES * URGENT_TIMES,
    OomScoreAdj: EXPENDABLE,
    Ulimits: [{ Name: 'fsize', Soft: LARGEST_FILE_BYTES, Hard: LARGEST_FILE_BYTES }],
  };
}

function guardsOf({ nameServers }: ContainerPlan): ContainerCreateOptions['HostConfig'] {
  const calls = callProfile();
  return {
    ReadonlyRootfs: true,
    CapDrop: ['ALL'],
    SecurityOpt: ['no-new-privileges', ...(calls === null ? [] : [`seccomp=${calls}`])],
    // The first process hands signals on, and buries who lost its parent.
    Init: true,
    IpcMode: 'private',
    // Who decides whether one is started again is the fleet.
    RestartPolicy: { Name: '' },
    LogConfig: { Type: 'none', Config: {} },
    Dns: [...nameServers],
  };
}

function mountsOf({ stage, output, tools }: ContainerPlan) {
  const files = outputFilesOf(output);
  return [
    bind(join(stage, scratch.app), inner.app, true),
    bind(join(stage, scratch.home), inner.home, true),
    bind(join(stage, scratch.tmp), inner.tmp, true),
    bind(join(stage, scratch.shared), SHARED_MEMORY, true),
    bind(files.stdout, `${OUTPUTS}/stdout`, true),
    bind(files.stderr, `${OUTPUTS}/stderr`, true),
    ...tools.flatMap((tool) => (tool.kind === 'folder' ? [bind(tool.from, tool.at, false)] : [])),
  ];
}

const bind = (source: string, target: string, isWritable: boolean) => ({
  Type: 'bind' as const,
  Source: source,
  Target: target,
  ReadOnly: !isWritable,
});
