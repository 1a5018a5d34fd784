import { describe, expect, it } from 'vitest';
import { callProfile } from './call-profile.ts';
import { containerOptions, type ContainerPlan } from './container-options.ts';
import { mountsBelow } from './mount-stage.ts';

const plan: ContainerPlan = {
  spec: { id: 'ins_1', command: 'node server.js', memoryMb: 512 },
  labels: { 'lilac.instance': 'ins_1' },
  env: { SECRET: 'a=b\nc', EMPTY: '' },
  cwd: '/home/app',
  uid: 34_567,
  stage: '/home/lilac/instances/ins_1/stage',
  output: '/home/lilac/outputs/ins_1',
  tools: [{ kind: 'folder', from: '/tools:24', at: '/home/tools/node', isWritable: false }],
  network: { name: 'lilac-env_1', address: '10.213.36.18' },
  nameServers: ['192.0.2.53'],
  calls: '{}',
  cpuQuotaUs: null,
};

describe('how a container is asked for', () => {
  it('variables are in its environment as they are, and in nothing that a process list shows', () => {
    const options = containerOptions(plan);
    expect(options.Env).toEqual(['SECRET=a=b\nc', 'EMPTY=']);
    expect(JSON.stringify([options.Entrypoint, options.Cmd])).not.toContain('a=b');
    expect(options.Cmd).toEqual(['node server.js']);
  });

  it('a container has no privilege, no swap, and of the machine only what is its own to write', () => {
    const { HostConfig, User } = containerOptions(plan);
    expect(User).toBe('34567:34567');
    expect(HostConfig).toMatchObject({
      ReadonlyRootfs: true,
      CapDrop: ['ALL'],
      Memory: 512 * 1024 ** 2,
      MemorySwap: 512 * 1024 ** 2,
      Init: true,
      SecurityOpt: ['no-new-privileges', 'seccomp={}'],
    });
    expect(HostConfig).not.toHaveProperty('CpuQuota');
    const mounts = HostConfig?.Mounts as { Source: string; Target: string; ReadOnly: boolean }[];
    const writable = mounts.filter(({ ReadOnly }) => !ReadOnly).map(({ Source }) => Source);
    expect(writable.every((path) => path.startsWith(plan.stage) || path.startsWith(plan.output))).toBe(true);
    expect(mounts.at(-1)).toMatchObject({ Source: '/tools:24', Target: '/home/tools/node', ReadOnly: true });
  });

  it('of the machine it is shown its own folders and tools, and nothing else: no socket, no device, no namespace', () => {
    const { HostConfig } = containerOptions(plan);
    const { Mounts, ...rest } = HostConfig!;
    const shown = (Mounts as { Source: string }[]).map(({ Source }) => Source);
    const own = (path: string) => [plan.stage, plan.output].some((folder) => path.startsWith(`${folder}/`));
    expect(shown.filter((path) => !own(path))).toEqual(['/tools:24']);
    expect(Object.keys(rest).toSorted()).toEqual([
      'CapDrop',
      'CpuPeriod',
      'CpuShares',
      'Dns',
      'Init',
      'IpcMode',
      'LogConfig',
      'Memory',
      'MemorySwap',
      'NetworkMode',
      'OomScoreAdj',
      'PidsLimit',
      'ReadonlyRootfs',
      'RestartPolicy',
      'SecurityOpt',
      'Ulimits',
    ]);
    expect([rest.NetworkMode, rest.IpcMode]).toEqual(['lilac-env_1', 'private']);
  });

  it('what the sandbox refuses is refused here, and what it does not know is left to Docker', () => {
    const { syscalls } = JSON.parse(callProfile('x64')!) as { syscalls: { names: string[]; args?: object[] }[] };
    const whole = syscalls.filter(({ args }) => !args).flatMap(({ names }) => names);
    expect(whole).toEqual(expect.arrayContaining(['mount', 'bpf', 'io_uring_setup', 'keyctl', 'fallocate', 'clone3']));
    const families = syscalls.filter(({ names }) => names[0] === 'socket').flatMap(({ args }) => args);
    expect(families).toContainEqual({ index: 0, value: 16, op: 'SCMP_CMP_GT' });
    expect(families).not.toContainEqual({ index: 0, value: 2, op: 'SCMP_CMP_EQ' });
    expect(callProfile('mips')).toBeNull();
  });
});

describe('what is mounted for an instance', () => {
  it('is found by its folder, the deepest first, whatever the name', () => {
    const table = [
      '30 20 0:40 / /home/a\\040b/ins_1/stage rw - tmpfs tmpfs rw',
      '31 30 0:41 / /home/a\\040b/ins_1/stage/app rw - overlay overlay rw',
      '32 20 0:42 / /home/a\\040b/ins_10/stage rw - tmpfs tmpfs rw',
    ].join('\n');
    expect(mountsBelow('/home/a b/ins_1/stage', table)).toEqual(['/home/a b/ins_1/stage/app', '/home/a b/ins_1/stage']);
  });
});
