import { createHash } from 'node:crypto';
import { availableParallelism } from 'node:os';
import type { ServerSize } from '../server.ts';

/** What containers and services of databases are found by. */
export const labelNames = {
  /** One platform on one machine of the swarm. */
  installation: 'lilac.databases',
  server: 'lilac.databases.server',
  /** Of every start another. */
  launch: 'lilac.databases.launch',
} as const;

export interface Bind {
  /** As the engine's machine names it. */
  source: string;
  target: string;
  isReadOnly: boolean;
}

export interface ServicePlan {
  installation: string;
  serverId: string;
  launch: string;
  nodeId: string;
  /** By its content: no machine looks for it elsewhere. */
  imageId: string;
  argv: readonly string[];
  env: Readonly<Record<string, string>>;
  /** The working directory. */
  at: string;
  uid: number;
  size: ServerSize;
  /** Its machine keeps all of its memory for it, and is asked for nothing that it has not. */
  isReserved: boolean;
  stopSignal: NodeJS.Signals;
  binds: readonly Bind[];
  /** Folders for which the image would be given a volume each; nobody needs one. */
  emptied: readonly string[];
}

/** Processes and threads: a server has one for each connection. */
const PIDS = 4096;
const MEBIBYTE = 1024 ** 2;
const SECOND = 1e9;
/** As long as a server may take to write down what it has in memory. */
const GRACE_SECONDS = 60;

const LONGEST_NAME = 63;

/** Of one server there is one service at any time: the swarm takes no second one of that name. */
export function serviceName(installation: string, serverId: string): string {
  const name = `lilac-${installation}-${serverId}`;
  if (name.length <= LONGEST_NAME) return name;
  const digest = createHash('sha256').update(serverId).digest('hex').slice(0, 32);
  return `lilac-${installation}-${digest}`;
}

/** One task, on the machine that has the files, which nobody but the keeper of databases begins again. */
export function serviceSpec(plan: ServicePlan) {
  const labels = labelsOf(plan);
  return {
    Name: serviceName(plan.installation, plan.serverId),
    Labels: labels,
    Mode: { Replicated: { Replicas: 1 } },
    TaskTemplate: {
      ContainerSpec: {
        Image: plan.imageId,
        Labels: labels,
        Command: [...plan.argv],
        Env: Object.entries(plan.env).map(([name, value]) => `${name}=${value}`),
        Dir: plan.at,
        User: `${plan.uid}:${plan.uid}`,
        // Docker's would lie where the machine's programs are shown; servers are used to be the first process.
        Init: false,
        ReadOnly: true,
        CapabilityDrop: ['ALL'],
        StopSignal: plan.stopSignal,
        StopGracePeriod: GRACE_SECONDS * SECOND,
        // The platform's own image asks for the platform's health.
        Healthcheck: { Test: ['NONE'] },
        Mounts: mountsOf(plan),
      },
      Resources: {
        Limits: { NanoCPUs: nanoCpus(plan.size), MemoryBytes: memoryBytes(plan.size), Pids: PIDS },
        Reservations: plan.isReserved ? { MemoryBytes: memoryBytes(plan.size) } : {},
      },
      RestartPolicy: { Condition: 'none', MaxAttempts: 0 },
      Placement: { Constraints: [`node.id==${plan.nodeId}`] },
      // The machine's own: clients keep their addresses, and the port is where it always was.
      Networks: [{ Target: 'host' }],
      // What it says goes into its own file.
      LogDriver: { Name: 'none' },
    },
  };
}

export function mountsOf({ binds, emptied }: Pick<ServicePlan, 'binds' | 'emptied'>) {
  return [
    ...emptied.map((target) => ({
      Type: 'tmpfs' as const,
      Target: target,
      TmpfsOptions: { SizeBytes: MEBIBYTE, Mode: 0o755 },
    })),
    ...binds.map(({ source, target, isReadOnly }) => ({
      Type: 'bind' as const,
      Source: source,
      Target: target,
      ReadOnly: isReadOnly,
    })),
  ];
}

/** The same limits for one that runs. Without swap, as on a machine without Docker. */
export function limitsOf(size: ServerSize) {
  return { Memory: memoryBytes(size), MemorySwap: memoryBytes(size), NanoCpus: nanoCpus(size), PidsLimit: PIDS };
}

const labelsOf = ({ installation, serverId, launch }: ServicePlan): Record<string, string> => ({
  [labelNames.installation]: installation,
  [labelNames.server]: serverId,
  [labelNames.launch]: launch,
});

const memoryBytes = ({ memoryMb }: ServerSize): number => memoryMb * MEBIBYTE;

/** The engine refuses to promise more than the machine has. */
const nanoCpus = ({ cpus }: ServerSize, cores = availableParallelism()): number =>
  Math.round(Math.min(cpus, cores) * 1e9);
