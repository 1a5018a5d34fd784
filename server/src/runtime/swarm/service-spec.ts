import { createHmac } from 'node:crypto';
import type { InstanceSpec } from '../runtime.ts';
import { STACK_IMAGE } from '../stack-image.ts';
import { CONTROL_PORT, PROGRAM_PORT, SECRET_FILE } from './init/agreement.ts';
import { INIT_FILE, initArgv } from './pack-init.ts';

/** What the first process of a task needs besides the program. */
const INIT_MB = 96;
const PIDS = 1100;
const MEBIBYTE = 1024 ** 2;
const SECOND = 1e9;

/** What the first process needs to make the world of the program; the program itself gets none of it. */
const CAPABILITIES = ['NET_ADMIN', 'SETUID', 'SETGID', 'SETPCAP', 'KILL', 'CHOWN', 'DAC_OVERRIDE', 'FOWNER'];

export interface ServiceParts {
  name: string;
  /** By its content, so that no machine looks for it elsewhere, and all run the same. */
  imageId: string;
  platform: string;
  spec: InstanceSpec;
  init: { id: string; name: string };
  secret: { id: string; name: string };
}

/**
 * Everything that runs alike is of one service: the instances of a release, unless its variables have changed since. By
 * a key that nobody else has: from the names of services no guess of a variable can be proved.
 */
export function serviceName(spec: InstanceSpec, initName: string, key: Buffer): string {
  const { id: _id, port: _port, ...rest } = { ...spec, env: splitEnv(spec).shared };
  const text = JSON.stringify([initName, STACK_IMAGE, Object.entries(rest).toSorted(([a], [b]) => (a < b ? -1 : 1))]);
  const mark = createHmac('sha256', key).update('name of a service\n').update(text).digest('hex').slice(0, 12);
  return `lilac-${spec.deploymentId}-${mark}`;
}

/** An instance is told its own name by variables of it; all others are the same for the whole release. */
export function splitEnv({ id, env }: Pick<InstanceSpec, 'id' | 'env'>) {
  const isOwn = ([, value]: [string, string]) => value === id;
  const entries = Object.entries(env);
  return {
    own: Object.fromEntries(entries.filter(isOwn)),
    shared: Object.fromEntries(entries.filter((entry) => !isOwn(entry))),
  };
}

export function serviceSpec({ name, imageId, platform, spec, init, secret }: ServiceParts) {
  return {
    Name: name,
    Labels: labelsOf(platform, spec),
    Mode: { Replicated: { Replicas: 0 } },
    TaskTemplate: {
      ContainerSpec: {
        Image: imageId,
        Labels: { 'lilac.platform': platform },
        Command: [...initArgv],
        Init: true,
        CapabilityDrop: ['ALL'],
        CapabilityAdd: CAPABILITIES.map((each) => `CAP_${each}`),
        StopGracePeriod: 10 * SECOND,
        Mounts: scratchMounts(spec.memoryMb),
        Secrets: [{ SecretID: secret.id, SecretName: secret.name, File: file(SECRET_FILE) }],
        Configs: [{ ConfigID: init.id, ConfigName: init.name, File: file(INIT_FILE) }],
      },
      Resources: {
        Limits: {
          NanoCPUs: Math.round(spec.cpus * 1e9),
          MemoryBytes: (spec.memoryMb + INIT_MB) * MEBIBYTE,
          Pids: PIDS,
        },
        // All that it may use: no machine is promised more than it has.
        Reservations: { MemoryBytes: (spec.memoryMb + INIT_MB) * MEBIBYTE },
      },
      // What fails is begun anew, elsewhere if need be; what ends well is not.
      RestartPolicy: { Condition: 'on-failure', Delay: SECOND / 2, MaxAttempts: 0 },
    },
    EndpointSpec: {
      Mode: 'dnsrr',
      Ports: [PROGRAM_PORT, CONTROL_PORT].map((port) => ({ Protocol: 'tcp', TargetPort: port, PublishMode: 'host' })),
    },
  };
}

/** Nobody reads it but the first process. */
const file = (path: string) => ({ Name: path, UID: '0', GID: '0', Mode: 0o400 });

/** What it writes is memory that it has no more: half of it at most, as on one machine. */
function scratchMounts(memoryMb: number) {
  return ['/tmp', '/var/tmp', '/home/user'].map((target) => ({
    Type: 'tmpfs',
    Target: target,
    TmpfsOptions: { SizeBytes: (memoryMb * MEBIBYTE) / 2, Mode: 0o1777 },
  }));
}

const labelsOf = (platform: string, spec: InstanceSpec): Record<string, string> => ({
  'lilac.platform': platform,
  'lilac.organisation': spec.organisationId,
  'lilac.environment': spec.environmentId,
  'lilac.deployment': spec.deploymentId,
  'lilac.cpus': String(spec.cpus),
});
