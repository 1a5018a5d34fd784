import { describe, expect, it } from 'vitest';
import { cgroupFolders } from '../../sandbox/cgroups/find-folders.ts';
import { judgeCgroups, judgeUserNamespaces } from './kernel-checks.ts';

const mountLine = (mountPoint: string, type: string, options: string, root = '/') =>
  `31 23 0:28 ${root} ${mountPoint} rw,relatime shared:9 - ${type} ${type} ${options}`;

const versionOne = ['cpu', 'memory', 'pids'].map((name) => mountLine(`/sys/fs/cgroup/${name}`, 'cgroup', `rw,${name}`));

describe('kernel.cgroups', () => {
  it('finds the own group of every controller of version 1', () => {
    const folders = cgroupFolders(versionOne.join('\n'), '4:memory:/jobs/a:b\n2:cpu:/\n1:pids:/\n');
    expect(folders.map(({ path }) => path)).toEqual([
      '/sys/fs/cgroup/cpu/',
      '/sys/fs/cgroup/memory/jobs/a:b',
      '/sys/fs/cgroup/pids/',
    ]);
    expect(judgeCgroups(folders, () => true)).toMatchObject({
      status: 'ok',
      found: 'version 1; cpu, memory, pids can be limited',
    });
  });

  it('leaves out what lies above a container’s root', () => {
    const inContainer = mountLine('/sys/fs/cgroup/memory', 'cgroup', 'rw,memory', '/docker/abc');
    expect(cgroupFolders(inContainer, '4:memory:/docker/abc/mine')).toMatchObject([
      { path: '/sys/fs/cgroup/memory/mine' },
    ]);
  });

  it('warns about what is not mounted or not ours to write, and how to get it', () => {
    expect(judgeCgroups([], () => true)).toMatchObject({
      status: 'warn',
      found: expect.stringContaining('not mounted') as string,
    });
    const both = {
      version: 2,
      controllers: ['cpu', 'memory', 'pids'],
      countsTime: true,
      path: '/sys/fs/cgroup',
    } as const;
    expect(judgeCgroups([both], () => false)).toMatchObject({
      status: 'warn',
      found: 'version 2; cpu, memory, pids cannot be limited by this user',
      advice: expect.stringContaining('Delegate=yes') as string,
    });
    const withoutPids = { ...both, controllers: ['cpu', 'memory'] as const };
    expect(judgeCgroups([withoutPids], () => true).found).toContain('pids cannot be limited');
  });
});

describe('kernel.user-namespaces', () => {
  it('warns with the setting that forbids them', () => {
    const finding = judgeUserNamespaces((setting) =>
      setting === 'kernel/apparmor_restrict_unprivileged_userns' ? '1' : null,
    );
    expect(finding).toMatchObject({ status: 'warn', found: expect.stringContaining('apparmor_restrict') as string });
    expect(judgeUserNamespaces(() => null).status).toBe('ok');
    expect(judgeUserNamespaces((setting) => (setting === 'user/max_user_namespaces' ? '0' : null)).status).toBe('warn');
  });
});
