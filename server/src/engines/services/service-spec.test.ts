import { availableParallelism } from 'node:os';
import { describe, expect, it } from 'vitest';
import { limitsOf, serviceName, serviceSpec, type ServicePlan } from './service-spec.ts';

const plan: ServicePlan = {
  installation: '0123456789ab',
  serverId: 'dbs_1',
  launch: 'abcdef',
  nodeId: 'node1',
  imageId: 'sha256:1',
  argv: ['postgres', '-D', '.'],
  env: { TZ: 'UTC' },
  at: '/home/of/one',
  uid: 1234,
  size: { memoryMb: 512, cpus: 0.5, storageGb: 1 },
  isReserved: true,
  stopSignal: 'SIGINT',
  binds: [{ source: '/on/the/node', target: '/home/of/one', isReadOnly: false }],
  emptied: ['/var/lib/lilac'],
};

describe('the service of a server', () => {
  const { TaskTemplate, Labels, Name, Mode } = serviceSpec(plan);
  const { ContainerSpec } = TaskTemplate;

  it('is one task, on its own machine and in its network, which the swarm never begins again', () => {
    expect(Mode).toEqual({ Replicated: { Replicas: 1 } });
    expect(TaskTemplate.Placement).toEqual({ Constraints: ['node.id==node1'] });
    expect(TaskTemplate.Networks).toEqual([{ Target: 'host' }]);
    expect(TaskTemplate.RestartPolicy.Condition).toBe('none');
  });

  it('has a user of its own, no privileges, and nothing to write to but its own', () => {
    expect(ContainerSpec.User).toBe('1234:1234');
    expect(ContainerSpec.CapabilityDrop).toEqual(['ALL']);
    expect(ContainerSpec.ReadOnly).toBe(true);
    expect(ContainerSpec.Mounts).toEqual([
      { Type: 'tmpfs', Target: '/var/lib/lilac', TmpfsOptions: { SizeBytes: 1024 ** 2, Mode: 0o755 } },
      { Type: 'bind', Source: '/on/the/node', Target: '/home/of/one', ReadOnly: false },
    ]);
  });

  it('is asked to end as its program wants it, and never by what the image takes for illness', () => {
    expect(ContainerSpec.StopSignal).toBe('SIGINT');
    expect(ContainerSpec.StopGracePeriod).toBe(60e9);
    expect(ContainerSpec.Healthcheck).toEqual({ Test: ['NONE'] });
  });

  it('is found by its labels, and so is its container', () => {
    expect(Labels).toEqual({
      'lilac.databases': '0123456789ab',
      'lilac.databases.server': 'dbs_1',
      'lilac.databases.launch': 'abcdef',
    });
    expect(ContainerSpec.Labels).toEqual(Labels);
    expect(Name).toBe('lilac-0123456789ab-dbs_1');
  });

  it('has the limits of its size, and never more processors than the machine has', () => {
    expect(TaskTemplate.Resources.Limits).toEqual({ NanoCPUs: 5e8, MemoryBytes: 512 * 1024 ** 2, Pids: 4096 });
    expect(limitsOf({ memoryMb: 512, cpus: 1000, storageGb: 1 })).toEqual({
      Memory: 512 * 1024 ** 2,
      MemorySwap: 512 * 1024 ** 2,
      NanoCpus: availableParallelism() * 1e9,
      PidsLimit: 4096,
    });
  });
});

it('all the memory that it may use is kept for it, unless it has to do with what is left', () => {
  const { Limits, Reservations } = serviceSpec(plan).TaskTemplate.Resources;
  expect(Reservations).toEqual({ MemoryBytes: Limits.MemoryBytes });
  expect(serviceSpec({ ...plan, isReserved: false }).TaskTemplate.Resources.Reservations).toEqual({});
});

const longName = (end: string): string => serviceName('0123456789ab', `dbs_${'x'.repeat(80)}${end}`);

it('the name of a service is never longer than the swarm takes, and of two servers never the same', () => {
  expect(longName('a')).toMatch(/^[a-z0-9][-_a-z0-9]{0,61}[a-z0-9]$/);
  expect(longName('a')).not.toBe(longName('b'));
});
