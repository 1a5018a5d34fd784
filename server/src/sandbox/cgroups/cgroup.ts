import { mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { readIfThere } from '../../lib/read-if-there.ts';
import type { Limits } from '../sandbox.ts';
import type { CgroupFolder } from './find-folders.ts';
import { versionOne } from './version-one.ts';
import { versionTwo } from './version-two.ts';

/** What differs between the versions. */
export interface CgroupVersion {
  /** Done to the parent before the first group is made in it. */
  prepare(parent: string, controllers: readonly string[]): void;
  limitsOf(limits: Limits): Record<'cpu' | 'memory' | 'pids', Record<string, string>>;
  /** Where the kernel counts what it has ended for want of memory. */
  outOfMemoryFile: string;
  /** Where a group is told to stand still, and what it is told. */
  freezer: { file: string; frozen: string; thawed: string };
}

const PERIOD_US = 100_000;
/** How much more of a busy machine somebody has for whom others wait. */
export const URGENT_TIMES = 4;

/**
 * The share of processor time, as the kernel counts it. Who may use the whole machine is not held at all: counting
 * costs up to a tenth.
 */
export function processorTime({ cpus }: Pick<Limits, 'cpus'>, cores = availableParallelism()) {
  return { periodUs: PERIOD_US, quotaUs: cpus < cores ? Math.round(cpus * PERIOD_US) : null };
}

const versions: Record<1 | 2, CgroupVersion> = { 1: versionOne, 2: versionTwo };

/** The folders of one group, one for each hierarchy: plain data, so that it can be written down. */
export type Cgroup = readonly CgroupFolder[];

export function planCgroup(parents: readonly CgroupFolder[], name: string): Cgroup {
  return parents.map((parent) => ({ ...parent, path: join(parent.path, name) }));
}

export function createCgroup(group: Cgroup, limits: Limits): void {
  for (const { version, controllers, path } of group) {
    const rules = versions[version];
    rules.prepare(path.slice(0, -basename(path).length - 1), controllers);
    mkdirSync(path, { recursive: true });
    for (const controller of controllers) setLimits(path, rules.limitsOf(limits)[controller]);
  }
}

/** Of a group that is there: more or less than before. */
export function changeLimits(group: Cgroup, limits: Limits): void {
  for (const { version, controllers, path } of group) {
    const files = versions[version].limitsOf(limits);
    // Version 1 wants memory below memory with swap at any moment: which of them comes first depends on the direction.
    for (const controller of controllers) trySetting(path, files[controller]);
    for (const controller of controllers) setLimits(path, files[controller]);
  }
}

/** Changes how much processor time a group may have from now on; nobody waits for it any more. */
export function setProcessorTime(group: Cgroup, cpus: number): void {
  for (const { version, controllers, path } of group) {
    const { cpu } = versions[version].limitsOf({ memoryMb: 0, cpus, pids: 0, timeoutMs: 0 });
    if (controllers.includes('cpu')) setLimits(path, cpu);
  }
}

/** A process that writes `0` into these is in the group. */
export const entrancesOf = (group: Cgroup): string[] => group.map(({ path }) => join(path, 'cgroup.procs'));

export function hasRunOutOfMemory(group: Cgroup): boolean {
  return group
    .filter(({ controllers }) => controllers.includes('memory'))
    .some(({ version, path }) => {
      const counted = /^oom_kill (\d+)$/m.exec(readIfThere(join(path, versions[version].outOfMemoryFile)) ?? '');
      return Number(counted?.[1] ?? 0) > 0;
    });
}

/** Members are ended: a group that we are in ourselves is nobody's but ours, whatever was noted, and has none here. */
export function membersOf(group: Cgroup): number[] {
  const pids = group.flatMap(({ path }) => readMembers(path));
  return [...new Set(pids)];
}

function readMembers(path: string): number[] {
  const text = readIfThere(join(path, 'cgroup.procs')) ?? '';
  const pids = text.split('\n').filter(Boolean).map(Number);
  return pids.includes(process.pid) ? [] : pids;
}

/** Its members stand still until it is thawed, also those that are being born. False where that cannot be had. */
export function freezeCgroup(group: Cgroup): boolean {
  return group.map((folder) => tellFreezer(folder, 'frozen')).includes(true);
}

/** Harmless when it is not frozen. False where none can be. */
export function thawCgroup(group: Cgroup): boolean {
  return group.map((folder) => tellFreezer(folder, 'thawed')).includes(true);
}

/** Ends every member, also one that is being born meanwhile; gives up when the kernel does not let go. */
export async function killCgroup(group: Cgroup, patienceMs = 5000): Promise<void> {
  const deadline = Date.now() + patienceMs;
  for (let members = membersOf(group); members.length > 0; members = membersOf(group)) {
    if (Date.now() > deadline) throw new Error(`processes ${members.join(', ')} cannot be ended`);
    // Kernels before 5.14 have no such file; the members are ended one by one.
    for (const { version, path } of group) if (version === 2) writeIfThere(join(path, 'cgroup.kill'), '1');
    for (const pid of members) kill(pid);
    // In version 1 one that is frozen does not even die.
    thawCgroup(group);
    await delay(5);
  }
}

/** Harmless when there is none. The kernel may need a moment after the last member is gone. */
export async function removeCgroup(group: Cgroup): Promise<void> {
  for (const { path } of group) {
    for (let tries = 0; !removeIfThere(path); tries++) {
      if (tries === 200) throw new Error(`the control group ${path} cannot be removed`);
      await delay(10);
    }
  }
}

function trySetting(path: string, files: Record<string, string>): void {
  for (const [name, value] of Object.entries(files)) {
    try {
      writeFileSync(join(path, name), value, { flag: 'r+' });
    } catch {
      // The second time tells.
    }
  }
}

/** Not every kernel counts swap, or the buffers of connections by themselves, or weighs; it still holds the others. */
const OPTIONAL = /sw|kmem|shares|weight/;

function setLimits(path: string, files: Record<string, string>): void {
  for (const [name, value] of Object.entries(files)) {
    const isOptional = OPTIONAL.test(name);
    try {
      writeFileSync(join(path, name), value);
    } catch (error) {
      if (!isOptional) throw error;
    }
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

function removeIfThere(path: string): boolean {
  try {
    rmdirSync(path);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EBUSY') return false;
    if (code === 'ENOENT') return true;
    throw error;
  }
}

function tellFreezer({ version, path }: CgroupFolder, wish: 'frozen' | 'thawed'): boolean {
  const { freezer } = versions[version];
  return writeIfThere(join(path, freezer.file), freezer[wish]);
}

/** False where there is no such file, or it does not take that. */
function writeIfThere(path: string, value: string): boolean {
  try {
    writeFileSync(path, value, { flag: 'r+' });
    return true;
  } catch {
    return false;
  }
}
