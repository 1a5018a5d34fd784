import type { SystemEntry } from './system-view.ts';

export interface BubblewrapOptions {
  system: readonly SystemEntry[];
  /** `from` is where bubblewrap finds it. */
  mounts: readonly { from: string; at: string; isWritable: boolean }[];
  /** Memory to write into, as much as is said. */
  scratch?: readonly { at: string; sizeBytes: number }[];
  env: Readonly<Record<string, string>>;
  cwd: string;
  canForbidNamespaces: boolean;
  /** Whether it outlives whoever started it. */
  isDetached: boolean;
  /** What else is handed over, by number. */
  descriptors?: Descriptors;
}

export interface Descriptors {
  /** Where to tell the pid and the exit code; null: nowhere. */
  status: number | null;
  /** The filter of system calls; null: none. */
  calls: number | null;
  /** What is seen as /etc/resolv.conf; null: the machine's own. */
  resolvConf: number | null;
}

/** Who the program takes itself for; outside it is the uid it was started as. */
export const INNER_UID = 1000;

/** In a /dev that is else read-only. */
export const SHARED_MEMORY = '/dev/shm';

/**
 * The options of bubblewrap, to be handed over through a descriptor (`--args`): they hold the values of
 * variables, and an argv can be read by everybody on the machine.
 */
export function bubblewrapOptions(options: BubblewrapOptions): string[] {
  const { system, mounts, scratch = [], env, cwd, canForbidNamespaces, isDetached, descriptors } = options;
  const given = new Set([...mounts, ...scratch].map(({ at }) => at));
  const memory = ['/tmp', SHARED_MEMORY].filter((at) => !given.has(at));
  const namespaces = ['--unshare-user', '--unshare-pid', '--unshare-ipc', '--unshare-uts', '--unshare-cgroup-try'];
  const self = ['--uid', String(INNER_UID), '--gid', String(INNER_UID), '--hostname', 'sandbox'];
  return namespaces.concat(
    canForbidNamespaces ? ['--disable-userns'] : [],
    self,
    isDetached ? [] : ['--die-with-parent'],
    ['--new-session', '--cap-drop', 'ALL'],
    system.flatMap(showEntry),
    ['--dev', '/dev', '--proc', '/proc'],
    memory.flatMap((at) => ['--perms', '1777', '--tmpfs', at]),
    scratch.flatMap(({ at, sizeBytes }) => ['--perms', '1777', '--size', String(sizeBytes), '--tmpfs', at]),
    mounts.flatMap(({ from, at, isWritable }) => [isWritable ? '--bind' : '--ro-bind', from, at]),
    descriptors ? showDescriptors(descriptors) : [],
    ['--remount-ro', '/dev', '--remount-ro', '/', '--clearenv'],
    Object.entries(env).flatMap(([name, value]) => ['--setenv', name, value]),
    ['--chdir', cwd],
  );
}

function showDescriptors({ status, calls, resolvConf }: Descriptors): string[] {
  return [
    ...(status === null ? [] : ['--json-status-fd', String(status)]),
    ...(calls === null ? [] : ['--seccomp', String(calls)]),
    ...(resolvConf === null ? [] : ['--perms', '0644', '--ro-bind-data', String(resolvConf), '/etc/resolv.conf']),
  ];
}

/** As `--args` reads them. */
export function encodeOptions(options: readonly string[]): Buffer {
  return Buffer.from(options.map((option) => `${option}\0`).join(''), 'utf8');
}

function showEntry(entry: SystemEntry): string[] {
  return entry.kind === 'link' ? ['--symlink', entry.target, entry.path] : ['--ro-bind', entry.path, entry.path];
}
