import { join } from 'node:path';
import { readIfThere } from '../../lib/read-if-there.ts';
import type { Cgroup } from '../../sandbox/cgroups/cgroup.ts';
import type { Usage } from '../runtime.ts';
import { readStat } from './namespace-processes.ts';

/** What an instance has used, as the kernel counts it for its group, else summed up over its processes. */
export function readUsage(cgroup: Cgroup, members: () => readonly number[]): Omit<Usage, 'cpus'> {
  return {
    cpuSeconds: readTime(cgroup) ?? sum(members().map(timeOf)),
    memoryBytes: readMemory(cgroup) ?? sum(members().map(residentOf)),
  };
}

function readTime(cgroup: Cgroup): number | null {
  const group = cgroup.find(({ countsTime }) => countsTime);
  if (!group) return null;
  if (group.version === 1) return scale(readIfThere(join(group.path, 'cpuacct.usage')), 1e9);
  return scale(/^usage_usec (\d+)$/m.exec(readIfThere(join(group.path, 'cpu.stat')) ?? '')?.[1] ?? null, 1e6);
}

/** Without what the kernel only keeps of files: it gives that back when somebody needs the room. */
function readMemory(cgroup: Cgroup): number | null {
  const group = cgroup.find(({ controllers }) => controllers.includes('memory'));
  if (!group) return null;
  const all = readIfThere(join(group.path, group.version === 1 ? 'memory.usage_in_bytes' : 'memory.current'));
  const details = readIfThere(join(group.path, 'memory.stat'));
  if (all === null || details === null) return null;
  const files = [...details.matchAll(group.version === 1 ? FILES_V1 : FILES_V2)].map((match) => Number(match[1]));
  return Math.max(0, Number(all) - sum(files));
}

const FILES_V1 = /^total_(?:in)?active_file (\d+)$/gm;
const FILES_V2 = /^(?:in)?active_file (\d+)$/gm;

/** The kernel's clock ticks, as it tells them to programs, whatever it counts in itself. */
const TICKS_PER_SECOND = 100;
const PAGE_BYTES = 4096;

/** Its own and that of the children it has waited for. */
function timeOf(pid: number): number {
  return sum(readStat(pid).slice(11, 15).map(Number)) / TICKS_PER_SECOND;
}

const residentOf = (pid: number): number => Number(readStat(pid)[21] ?? 0) * PAGE_BYTES;

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);
const scale = (text: string | null, unit: number): number | null => (text === null ? null : Number(text) / unit);
