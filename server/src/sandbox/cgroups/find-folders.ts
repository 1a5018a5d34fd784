import { accessSync, constants, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** What limits a program. Version 1 mounts each apart, version 2 all in one place; some machines have both. */
export const controllers = ['cpu', 'memory', 'pids'] as const;
export type Controller = (typeof controllers)[number];

export interface CgroupFolder {
  version: 1 | 2;
  controllers: readonly Controller[];
  /** Whether the kernel counts the processor time of its groups. */
  countsTime: boolean;
  /** Whether its groups can be frozen in version 1, which has a hierarchy for that. */
  freezes?: boolean;
  path: string;
}

/** In version 2 a group that has groups may hold no process: ours move here. */
export const PLATFORM_GROUP = 'lilac-platform';

/**
 * Where this process may put groups of its own: for the controllers that it may really use, to be counted and to be
 * frozen.
 */
export function findCgroupFolders(): CgroupFolder[] {
  const folders = cgroupFolders(
    readFileSync('/proc/self/mountinfo', 'utf8'),
    readFileSync('/proc/self/cgroup', 'utf8'),
  );
  return folders.filter(isUseful).filter(({ path }) => isWritable(path));
}

/** Those that another process is in, whoever made them. */
export function cgroupFoldersOf(pid: number): CgroupFolder[] {
  const groups = readFileSync(`/proc/${pid}/cgroup`, 'utf8');
  return cgroupFolders(readFileSync('/proc/self/mountinfo', 'utf8'), groups).filter(isUseful);
}

/** Version 2 counts and freezes in every group, so that one without controllers is of no further use. */
const isUseful = ({ version, controllers: usable, countsTime, freezes }: CgroupFolder) =>
  usable.length > 0 || (version === 1 && (countsTime || freezes === true));

/** The folder of the group this process is in, whichever hierarchy it is of; null where there are no groups. */
export function ownGroupFolder(): string | null {
  const own = hierarchiesOf(readFileSync('/proc/self/mountinfo', 'utf8'), readFileSync('/proc/self/cgroup', 'utf8'));
  return own[0]?.own ?? null;
}

/** The folder of the group this process is in, for every hierarchy. */
export function cgroupFolders(mountinfo: string, ownGroups: string): CgroupFolder[] {
  return hierarchiesOf(mountinfo, ownGroups).map(({ version, options, own }) => {
    const path = basename(own) === PLATFORM_GROUP ? dirname(own) : own;
    const offered = version === 1 ? options : readControllers(path);
    const countsTime = version === 2 || offered.includes('cpuacct');
    const freezes = version === 1 && offered.includes('freezer');
    const limiting = controllers.filter((name) => offered.includes(name));
    return { version, controllers: limiting, countsTime, ...(freezes && { freezes }), path };
  });
}

interface Hierarchy {
  version: 1 | 2;
  /** What it is mounted with; in version 1 that names its controllers. */
  options: string[];
  /** The folder of the group a process is in. */
  own: string;
}

function hierarchiesOf(mountinfo: string, ownGroups: string): Hierarchy[] {
  return mountinfo.split('\n').flatMap((line): Hierarchy[] => {
    const [mount = '', source = ''] = line.split(' - ');
    const [, , , root, mountPoint] = mount.split(' ');
    const [type, , text = ''] = source.split(' ');
    if (!mountPoint || !root || (type !== 'cgroup' && type !== 'cgroup2')) return [];
    const version = type === 'cgroup' ? 1 : 2;
    const options = text.split(',');
    return [{ version, options, own: join(mountPoint, ownPathIn(ownGroups, version === 1 ? options : null, root)) }];
  });
}

export function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

function ownPathIn(ownGroups: string, names: readonly string[] | null, root: string): string {
  const groups = ownGroups.split('\n').map((line) => line.split(':'));
  const own = groups.find(([id, held = '']) =>
    names ? held.split(',').some((name) => name !== '' && names.includes(name)) : id === '0',
  );
  const path = own?.slice(2).join(':') ?? '/';
  return root !== '/' && path.startsWith(root) ? path.slice(root.length) : path;
}

function readControllers(path: string): string[] {
  try {
    return readFileSync(join(path, 'cgroup.controllers'), 'utf8').trim().split(' ');
  } catch {
    return [];
  }
}
