import { readdirSync, readFileSync, readlinkSync, statSync, type Stats } from 'node:fs';

const BLOCK_BYTES = 512;
/** `7f00-7f01 rw-s 00000000 fe:00 123   /home/file (deleted)`; what has no inode is no file. */
const MAPPED = /^([0-9a-f]+-[0-9a-f]+) \S+ \S+ \S+ (?!0 )\d+ +(?!\/memfd:|\/dev\/|\/SYSV)\S.* \(deleted\)$/gm;
/** They are memory, which has a limit of its own. */
const IN_MEMORY = /^\/(?:memfd:|dev\/|SYSV)/;

/** What files take on the disk that have no name any more, and that these processes keep by using them. */
export function heldBytes(pids: readonly number[]): number {
  const sizes = new Map<string, number>();
  for (const path of pids.flatMap((pid) => [...descriptorsOf(pid), ...mappingsOf(pid)])) {
    const stats = statIfThere(path);
    if (!stats?.isFile() || stats.nlink > 0 || IN_MEMORY.test(linkOf(path))) continue;
    sizes.set(`${stats.dev} ${stats.ino}`, stats.blocks * BLOCK_BYTES);
  }
  return [...sizes.values()].reduce((sum, size) => sum + size, 0);
}

const descriptorsOf = (pid: number): string[] =>
  attempt(() => readdirSync(`/proc/${pid}/fd`), []).map((name) => `/proc/${pid}/fd/${name}`);

/** Only root may look behind these; a plain user's file system is still watched as a whole. */
function mappingsOf(pid: number): string[] {
  const maps = attempt(() => readFileSync(`/proc/${pid}/maps`, 'latin1'), '');
  return Array.from(maps.matchAll(MAPPED), ([, range]) => `/proc/${pid}/map_files/${range}`);
}

const statIfThere = (path: string): Stats | null => attempt(() => statSync(path), null);
const linkOf = (path: string): string => attempt(() => readlinkSync(path), '');

/** Processes end while one looks at them. */
function attempt<T>(look: () => T, otherwise: T): T {
  try {
    return look();
  } catch {
    return otherwise;
  }
}
