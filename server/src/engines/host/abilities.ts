import { mkdirSync, mkdtempSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import type { Log } from '../../lib/log.ts';
import { findProgram } from '../../lib/find-program.ts';
import { identify, type ProcessIdentity } from '../../lib/process-identity.ts';
import { removeTree } from '../../lib/remove-tree.ts';
import { findCgroupFolders, type CgroupFolder } from '../../sandbox/cgroups/find-folders.ts';
import { PROGRAM_PATH } from '../../sandbox/launch.ts';
import { makeImage, mountVolume, unmountVolume } from './image-volume.ts';
import { filesOf } from './place-files.ts';

export interface HostAbilities {
  isRoot: boolean;
  /** Whether volumes of limited size can be made and mounted. */
  hasVolumes: boolean;
  setpriv: string | null;
  cgroupFolders: readonly CgroupFolder[];
}

export const PROBE = '.probe-';

/** Who tries is named: what he leaves behind when he is killed is known to be nobody's. */
export const probeNameOf = ({ pid, startTime }: ProcessIdentity): string => `${PROBE}${pid}-${startTime}-`;

/** Null where the name tells nobody. */
export function proberOf(name: string): ProcessIdentity | null {
  const [, pid, startTime] = /^\.probe-(\d+)-(\d+)-/.exec(name) ?? [];
  return pid !== undefined && startTime !== undefined ? { pid: Number(pid), startTime } : null;
}

/** The smallest that XFS takes. */
const PROBE_BYTES = 300 * 1024 ** 2;

/** Tries what this machine really allows, in a folder that is ours: that a program is there says little. */
export async function detectAbilities({ folder, log }: { folder: string; log: Log }): Promise<HostAbilities> {
  const isRoot = process.getuid?.() === 0;
  return {
    isRoot,
    hasVolumes: isRoot && (await canMountVolumes(folder, log)),
    setpriv: findProgram(['setpriv'], PROGRAM_PATH),
    cgroupFolders: findCgroupFolders(),
  };
}

async function canMountVolumes(folder: string, log: Log): Promise<boolean> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  try {
    return await lendHome(folder, true, async () => true);
  } catch (error) {
    log.warn({ err: error }, 'volumes for databases cannot be made');
    return false;
  }
}

/** Lends a home such as servers have, on a volume or not, to whoever tries something in it. */
export async function lendHome<T>(folder: string, hasVolume: boolean, use: (home: string) => Promise<T>): Promise<T> {
  // As the kernel names it, or its mounts would not be found again.
  const probe = mkdtempSync(join(realpathSync(folder), probeNameOf(identify(process.pid)!)));
  const { home } = filesOf(probe);
  try {
    if (hasVolume) {
      await makeImage(probe, PROBE_BYTES);
      await mountVolume(probe);
    }
    mkdirSync(home, { recursive: true, mode: 0o700 });
    return await use(home);
  } finally {
    await unmountVolume(probe).catch(() => {});
    await removeTree(probe);
  }
}

export function describeLacking({ isRoot, hasVolumes, setpriv, cgroupFolders }: HostAbilities): string[] {
  const limited = new Set(cgroupFolders.flatMap(({ controllers }) => controllers));
  const unlimited = (['memory', 'cpu'] as const).filter((name) => !limited.has(name));
  return [
    ...(isRoot ? [] : ['Databases run as the user of the platform: nothing but their passwords keeps them apart.']),
    ...(isRoot && setpriv === null ? ['Databases cannot be run as root without setpriv (package util-linux).'] : []),
    ...(hasVolumes ? [] : [lacksVolumes(isRoot)]),
    ...(unlimited.length > 0
      ? [`The control groups for ${unlimited.join(', ')} cannot be used: databases may use more than their tier gives.`]
      : []),
  ];
}

function lacksVolumes(isRoot: boolean): string {
  const reason = isRoot
    ? 'volumes cannot be mounted here; they need mkfs.xfs (package xfsprogs), losetup, and loop devices'
    : 'only root can mount volumes';
  return `The storage of databases is watched, but not bounded by the system: ${reason}.`;
}
