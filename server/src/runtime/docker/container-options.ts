import type { ContainerCreateOptions } from 'dockerode';
import { join } from 'node:path';
import { SHARED_MEMORY } from '../../sandbox/bubblewrap.ts';
import { URGENT_TIMES } from '../../sandbox/cgroups/cgroup.ts';
import type { Mount } from '../../sandbox/sandbox.ts';
import { inner, scratch } from '../inner-paths.ts';
import { outputFilesOf } from '../output/output-files.ts';
import type { InstanceSpec } from '../runtime.ts';
import { STACK_IMAGE } from '../stack-image.ts';

/** What every container is asked for with, whatever it is made of. */
export interface SharedPlan {
  spec: Pick<InstanceSpec, 'id' | 'command' | 'memoryMb'>;
  labels: Readonly<Record<string, string>>;
  /** The whole environment; of an image, what is put over its own. */
  env: Readonly<Record<string, string>>;
  output: string;
  network: { name: string; address: string };
  nameServers: readonly string[];
  /** The filter of system calls, as the engine is told it; null: the engine's own. */
  calls: string | null;
  /** Null: all there are. */
  cpuQuotaUs: number | null;
}

export interface ContainerPlan extends SharedPlan {
  cwd: string;
  uid: number;
  /** Where what it may write is mounted on this machine. */
  stage: string;
  tools: readonly Mount[];
}

export const containerName = (instanceId: string): string => `lilac-${instanceId}`;

const PIDS = 1024;
/** Should the whole machine run out of memory, instances go before the platform and its store. */
const EXPENDABLE = 300;
const USUAL_SHARES = 1024;
/**
 * What is written to the disk is the output alone, which is kept small: this is for one that makes a file seem endless.
 */
const LARGEST_FILE_BYTES = 1024 ** 4;

const OUTPUTS = '/run/lilac';
/** What it writes goes into files of this machine, not through the engine, and is there whatever happens to that. */
export const TO_OUTPUT = `exec >>${OUTPUTS}/stdout 2>>${OUTPUTS}/stderr`;
const FIRST = `${TO_OUTPUT}; exec /bin/sh -c "$1"`;

/** How an instance is asked for: nothing of it can change the image, gain a privilege or take more than its share. */
export function containerOptions(plan: ContainerPlan): ContainerCreateOptions {
  const { spec, cwd, uid } = plan;
  const shared = sharedOptions(plan);
  return {
    ...shared,
    Image: STACK_IMAGE,
    User: `${uid}:${uid}`,
    Entrypoint: ['/bin/sh', '-c', FIRST, 'sh'],
    Cmd: [spec.command],
    WorkingDir: cwd,
    HostConfig: { ...shared.HostConfig, ReadonlyRootfs: true, Mounts: mountsOf(plan) },
  };
}

/** Limits, guards, names and the network. */
export function sharedOptions(plan: SharedPlan): ContainerCreateOptions {
  const { spec, labels, env, network } = plan;
  return {
    name: containerName(spec.id),
    Hostname: 'lilac',
    Env: Object.entries(env).map(([name, value]) => `${name}=${value}`),
    Labels: { ...labels },
    HostConfig: { ...limitsOf(plan), ...guardsOf(plan), NetworkMode: network.name },
    NetworkingConfig: { EndpointsConfig: { [network.name]: { IPAMConfig: { IPv4Address: network.address } } } },
  };
}

function limitsOf({ spec, cpuQuotaUs }: SharedPlan): ContainerCreateOptions['HostConfig'] {
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

function guardsOf({ nameServers, calls }: SharedPlan): ContainerCreateOptions['HostConfig'] {
  return {
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
  return [
    bind(join(stage, scratch.app), inner.app, true),
    bind(join(stage, scratch.home), inner.home, true),
    bind(join(stage, scratch.tmp), inner.tmp, true),
    bind(join(stage, scratch.shared), SHARED_MEMORY, true),
    ...outputMounts(output),
    ...tools.flatMap((tool) => (tool.kind === 'folder' ? [bind(tool.from, tool.at, false)] : [])),
  ];
}

export function outputMounts(output: string) {
  const files = outputFilesOf(output);
  return [bind(files.stdout, `${OUTPUTS}/stdout`, true), bind(files.stderr, `${OUTPUTS}/stderr`, true)];
}

export const bind = (source: string, target: string, isWritable: boolean) => ({
  Type: 'bind' as const,
  Source: source,
  Target: target,
  ReadOnly: !isWritable,
});
