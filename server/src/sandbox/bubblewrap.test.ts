import { describe, expect, it } from 'vitest';
import { bubblewrapOptions, encodeOptions } from './bubblewrap.ts';
import { planLaunch } from './launch.ts';
import type { SandboxRequest } from './sandbox.ts';

const options = {
  system: [{ kind: 'bind', path: '/usr' } as const, { kind: 'link', path: '/bin', target: 'usr/bin' } as const],
  mounts: [{ from: '/home/0', at: '/home/work', isWritable: true }],
  env: { SECRET: "a'b\nc" },
  cwd: '/home/work',
  canForbidNamespaces: true,
  isDetached: false,
};

describe('the options of bubblewrap', () => {
  it('show the system read-only, and make the root read-only after everything is in place', () => {
    const made = bubblewrapOptions(options);
    expect(made.join(' ')).toContain('--ro-bind /usr /usr --symlink usr/bin /bin --dev /dev --proc /proc');
    expect(made.indexOf('--remount-ro')).toBeGreaterThan(made.indexOf('--bind'));
    expect(made.join(' ')).toContain('--tmpfs /dev/shm --bind /home/0 /home/work --remount-ro /dev --remount-ro / ');
  });

  it('unshare everything but the network, and drop every capability', () => {
    const made = bubblewrapOptions(options);
    expect(made).toEqual(expect.arrayContaining(['--unshare-user', '--unshare-pid', '--unshare-ipc', '--unshare-uts']));
    expect(made).toEqual(
      expect.arrayContaining(['--disable-userns', '--die-with-parent', '--new-session', '--clearenv']),
    );
    expect(made.join(' ')).toContain('--cap-drop ALL');
    expect(made).not.toContain('--unshare-net');
  });

  it('hand values over byte for byte', () => {
    expect(encodeOptions(bubblewrapOptions(options)).toString()).toContain("--setenv\0SECRET\0a'b\nc\0");
  });
});

describe('the start of a sandbox', () => {
  const request: SandboxRequest = {
    name: 'x',
    argv: ['/bin/sh', '-c', 'true'],
    cwd: '/home/work',
    env: { SECRET: 'hunter22', PATH: '/evil' },
    mounts: [{ kind: 'folder', from: '/var/lilac/builds/1', at: '/home/work', isWritable: true }],
    uid: 31_234,
    limits: { memoryMb: 1, cpus: 1, pids: 1, timeoutMs: 1 },
    signal: new AbortController().signal,
    onLine: () => {},
  };
  const host = {
    isRoot: true,
    bubblewrap: '/usr/bin/bwrap',
    canOverlay: true,
    canForbidNamespaces: true,
    canFilterCalls: true,
    cgroupFolders: [],
    limited: [],
    lacking: [],
  };
  const launch = (change: Partial<typeof host> | { bubblewrap: null }) =>
    planLaunch({
      request,
      host: { ...host, ...change },
      stage: '/var/lilac/stage',
      entrances: ['/sys/fs/cgroup/x/cgroup.procs'],
    });

  it('enters the groups, then mounts, then drops every privilege, then shuts the sandbox', () => {
    const { argv } = launch({});
    const order = ['enter', 'stage', 'folder', 'show', '--reuid', '/usr/bin/bwrap', '/bin/sh'].map((word) =>
      argv.lastIndexOf(word),
    );
    expect(order).toEqual(order.toSorted((a, b) => a - b));
    expect(argv.join(' ')).toContain(
      '--reuid 31234 --regid 31234 --clear-groups --no-new-privs --inh-caps -all --bounding-set -all -- /usr/bin/bwrap --args 3 -- /bin/sh -c true',
    );
  });

  it.each([
    ['root', {}],
    ['a plain user', { isRoot: false }],
    ['without bubblewrap', { bubblewrap: null }],
  ])('puts no value into an argv (%s)', (_who, change) => {
    const { argv, handedOver } = launch(change);
    expect(argv.join('\0')).not.toMatch(/hunter22|\/evil/);
    expect(handedOver.toString()).toContain('hunter22');
  });
});
