import { readdirSync, readFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { median } from '../bench/measuring/median.ts';
import { memoryOf, treeOf } from '../bench/measuring/memory.ts';
import type { PlatformHandle } from '../chaos/platform-handle.ts';
import { diskByFolder } from './disk.ts';
import type { MemoryGauges } from './memory-gauges.ts';
import { openProcessorMeter, usedByRole, usedByStore, type ProcessorMeter } from './processor-time.ts';
import type { Point } from './straight-line.ts';
import type { Visits } from './visits.ts';

/** What the platform costs at one moment. Each figure has a name, `kind of what`, for example `memory of api`. */
export interface Sample {
  minute: number;
  figures: Record<string, number>;
}

/** Some figures are in a few of the samples only; one that nobody could measure is there, and is no number. */
export function pointsOf(name: string, samples: readonly Sample[]): Point[] {
  return samples.flatMap(({ minute, figures }) => {
    const value = figures[name];
    return value === undefined ? [] : [{ at: minute, value }];
  });
}

export interface Sampled {
  handle: PlatformHandle;
  visits: Visits;
  gauges: MemoryGauges;
  meters: ProcessorMeters;
  /** Of all databases that people have just now. */
  databaseIds: () => ReadonlySet<string>;
}

/** By whose processor time it is. */
export type ProcessorMeters = Readonly<Record<string, ProcessorMeter>>;

export interface Look {
  minute: number;
  /** What the processes no longer need is collected first. Now and then only: otherwise they do as in ordinary use. */
  isAfterCollection: boolean;
}

const NODE_ROLES = ['supervisor', 'api', 'worker', 'edge'];

/** They count from now on. */
export function openProcessorMeters(handle: PlatformHandle): ProcessorMeters {
  const ofRoles = NODE_ROLES.map((role) => [role, openProcessorMeter(() => usedByRole(handle, role))] as const);
  return { ...Object.fromEntries(ofRoles), store: openProcessorMeter(() => usedByStore(handle)) };
}

export async function takeSample(sampled: Sampled, look: Look): Promise<Sample> {
  const { handle, visits, gauges, meters, databaseIds } = sampled;
  const { minute, isAfterCollection } = look;
  const figures: Record<string, number> = { load: loadavg()[0]! };
  for (const [name, meter] of Object.entries(meters)) figures[`processor time of ${name}`] = meter.take();
  for (const role of NODE_ROLES) {
    const pids = handle.pids(role);
    if (isAfterCollection) figures[`kept memory of ${role}`] = await gauges.keptMib(pids);
    figures[`own memory of ${role}`] = sumOf(pids, ownMemoryOf);
    Object.assign(figures, costsOf(role, pids));
  }
  Object.assign(figures, storeCosts(handle.pids('store').flatMap(treeOf)));
  for (const [folder, megabytes] of Object.entries(diskByFolder(handle.home, databaseIds())))
    figures[`disk of ${folder}`] = megabytes;
  for (const [place, { p50, p95 }] of Object.entries(visits.take())) {
    figures[`wait of ${place}`] = p50;
    figures[`long wait of ${place}`] = p95;
  }
  return { minute, figures };
}

function costsOf(role: string, pids: readonly number[]): Record<string, number> {
  return {
    [`memory of ${role}`]: sumOf(pids, memoryOf),
    [`files of ${role}`]: sumOf(pids, filesOf),
  };
}

/** What its processes have together follows how many connections there are just now, so each is looked at, too. */
function storeCosts(pids: readonly number[]): Record<string, number> {
  const own = pids.map((pid) => sumOf([pid], ownMemoryOf)).filter((megabytes) => megabytes > 0);
  return {
    ...costsOf('store', pids),
    'largest process of store': Math.max(...own),
    'usual process of store': median(own),
  };
}

/** Megabytes that are of no file, so that nobody else's coming and going changes them. */
function ownMemoryOf(pid: number): number {
  const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
  return Number(/^Pss_Anon:\s+(\d+) kB$/m.exec(rollup)?.[1]) / 1024;
}

function filesOf(pid: number): number {
  return readdirSync(`/proc/${pid}/fd`).length;
}

/** A connection's process may end while it is looked at. */
function sumOf(pids: readonly number[], measure: (pid: number) => number): number {
  return pids.reduce((sum, pid) => {
    try {
      return sum + measure(pid);
    } catch {
      return sum;
    }
  }, 0);
}
