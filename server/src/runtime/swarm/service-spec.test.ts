import { describe, expect, it } from 'vitest';
import type { InstanceSpec } from '../runtime.ts';
import { SECRET_FILE } from './init/agreement.ts';
import { INIT_FILE, initArgv, packInit } from './pack-init.ts';
import { serviceName, serviceSpec } from './service-spec.ts';

const spec: InstanceSpec = {
  id: 'ins_1',
  organisationId: 'org_1',
  environmentId: 'env_1',
  deploymentId: 'dep_1',
  slug: { artifactId: 'art_1', hash: 'abc' },
  command: 'node secret-command.js',
  workDirectory: '',
  env: { PASSWORD: 'geheim' },
  port: 3000,
  tools: { node: '24.0.0' },
  memoryMb: 256,
  cpus: 0.5,
};

const KEY = Buffer.alloc(32, 1);

const made = serviceSpec({
  name: 'n',
  imageId: 'sha256:1',
  platform: 'p',
  spec,
  init: { id: '1', name: 'i' },
  secret: { id: '2', name: 's' },
});

describe('the service of a release', () => {
  it('is the same for all its instances, and another when what they run with has changed', () => {
    const name = serviceName(spec, 'init-1', KEY);
    expect(serviceName({ ...spec, id: 'ins_2' }, 'init-1', KEY)).toBe(name);
    const named = (id: string) => ({ ...spec, id, env: { ...spec.env, INSTANCE: id } });
    expect(serviceName(named('ins_2'), 'init-1', KEY)).toBe(serviceName(named('ins_1'), 'init-1', KEY));
    for (const change of [{ env: { PASSWORD: 'other' } }, { memoryMb: 512 }, { deploymentId: 'dep_2' }]) {
      expect(serviceName({ ...spec, ...change }, 'init-1', KEY)).not.toBe(name);
    }
    expect(serviceName(spec, 'init-2', KEY)).not.toBe(name);
  });

  it('has a name by which nobody proves a guess of its variables who has not the key of the platform', () => {
    const guess = serviceName(spec, 'init-1', KEY);
    expect(guess).toMatch(/^lilac-dep_1-[0-9a-f]{12}$/);
    expect(serviceName(spec, 'init-1', Buffer.alloc(32, 2))).not.toBe(guess);
  });

  it('says nothing of variables or commands: those are in its secret', () => {
    expect(JSON.stringify(made)).not.toMatch(/geheim|PASSWORD|secret-command/);
  });

  it('has nothing of the machine in it: memory of its own, its secret and its first process', () => {
    const { Mounts, Secrets, Configs, ...rest } = made.TaskTemplate.ContainerSpec;
    expect(Mounts.filter((mount) => mount.Type !== 'tmpfs' || 'Source' in mount)).toEqual([]);
    expect([...Secrets, ...Configs].map(({ File }) => [File.Name, File.UID, File.Mode])).toEqual([
      [SECRET_FILE, '0', 0o400],
      [INIT_FILE, '0', 0o400],
    ]);
    const known = ['CapabilityAdd', 'CapabilityDrop', 'Command', 'Image', 'Init', 'Labels', 'StopGracePeriod'];
    expect(Object.keys(rest).toSorted()).toEqual(known);
    expect(Object.keys(made.TaskTemplate).toSorted()).toEqual(['ContainerSpec', 'Resources', 'RestartPolicy']);
  });

  it('keeps nothing of root but what its first process makes the program’s world with', () => {
    const { CapabilityDrop, CapabilityAdd, Init } = made.TaskTemplate.ContainerSpec;
    expect(CapabilityDrop).toEqual(['ALL']);
    const kept = ['CHOWN', 'DAC_OVERRIDE', 'FOWNER', 'KILL', 'NET_ADMIN', 'SETGID', 'SETPCAP', 'SETUID'];
    expect(CapabilityAdd.toSorted()).toEqual(kept.map((name) => `CAP_${name}`));
    expect(Init).toBe(true);
  });

  it('writes into memory only, half of what it has, and has only so many processes', () => {
    const { ContainerSpec, Resources } = made.TaskTemplate;
    const TmpfsOptions = { SizeBytes: 128 * 1024 ** 2, Mode: 0o1777 };
    const places = ['/tmp', '/var/tmp', '/home/user'];
    expect(ContainerSpec.Mounts).toEqual(places.map((Target) => ({ Type: 'tmpfs', Target, TmpfsOptions })));
    expect(Resources.Limits.Pids).toBe(1100);
  });

  it('runs our first process on our image, and is told to be ours', () => {
    const { Command, Image, Labels, StopGracePeriod } = made.TaskTemplate.ContainerSpec;
    expect([made.Name, Command, Image, StopGracePeriod]).toEqual(['n', [...initArgv], 'sha256:1', 10e9]);
    expect(Labels).toEqual({ 'lilac.platform': 'p' });
    expect(made.Labels).toEqual({
      'lilac.platform': 'p',
      'lilac.organisation': 'org_1',
      'lilac.environment': 'env_1',
      'lilac.deployment': 'dep_1',
      'lilac.cpus': '0.5',
    });
  });

  it('begins without a task, replaces what fails only, and publishes on the task’s own machine', () => {
    expect(made.Mode.Replicated.Replicas).toBe(0);
    expect(made.TaskTemplate.RestartPolicy.Condition).toBe('on-failure');
    expect(made.EndpointSpec.Mode).toBe('dnsrr');
    expect(made.EndpointSpec.Ports.every(({ PublishMode }) => PublishMode === 'host')).toBe(true);
    expect(made.TaskTemplate.Resources.Limits.NanoCPUs).toBe(500_000_000);
  });

  it('reserves all the memory that it may use, of its first process too', () => {
    const { Limits, Reservations } = made.TaskTemplate.Resources;
    expect(Limits.MemoryBytes).toBeGreaterThan(spec.memoryMb * 1024 ** 2);
    expect(Reservations.MemoryBytes).toBe(Limits.MemoryBytes);
  });
});

describe('the first process of tasks', () => {
  it('is packed with all it imports, within what a config may hold, and needs no package', () => {
    const { data, name } = packInit();
    const files = JSON.parse(data.toString()) as Record<string, string>;
    expect(Object.keys(files)).toContain('runtime/swarm/init/main.ts');
    expect(data.length).toBeLessThan(500_000);
    const outside = Object.values(files).flatMap((text) => [
      ...text.matchAll(/^import (?!type).*from '([^.'][^']*)'/gm),
    ]);
    expect(outside.map((match) => match[1]).filter((specifier) => !specifier?.startsWith('node:'))).toEqual([]);
    expect(packInit().name).toBe(name);
  });
});
