import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { memoryOf, treeOf } from '../bench/measuring/memory.ts';
import type { PlatformHandle } from '../chaos/platform-handle.ts';
import type { MemoryGauges } from './memory-gauges.ts';
import type { Visits } from './visits.ts';

/** What the platform costs at one moment. Each figure has a name, `kind of what`, for example `memory of api`. */
export interface Sample {
  minute: number;
  figures: Record<string, number>;
}

export interface Sampled {
  handle: PlatformHandle;
  visits: Visits;
  gauges: MemoryGauges;
}

const NODE_ROLES = ['supervisor', 'api', 'worker', 'edge'];

export async function takeSample({ handle, visits, gauges }: Sampled, minute: number): Promise<Sample> {
  const figures: Record<string, number> = { load: loadavg()[0]! };
  for (const role of NODE_ROLES) {
    const pids = handle.pids(role);
    // First: it collects, and what follows is what the process has without what it no longer needs.
    figures[`kept memory of ${role}`] = await gauges.keptMib(pids);
    figures[`own memory of ${role}`] = sumOf(pids, ownMemoryOf);
    Object.assign(figures, costsOf(role, pids));
  }
  const storePids = handle.pids('store').flatMap(treeOf);
  Object.assign(figures, costsOf('store', storePids));
  // What all of its processes have of their own follows how many connections there are just now.
  figures['largest process of store'] = Math.max(...storePids.map((pid) => sumOf([pid], ownMemoryOf)));
  for (const part of readdirSync(handle.home)) figures[`disk of ${part}`] = megabytesIn(join(handle.home, part));
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

/** What it takes on the disk, holes left out. What is removed meanwhile takes nothing. */
function megabytesIn(path: string): number {
  try {
    const found = lstatSync(path);
    const inside = found.isDirectory() ? readdirSync(path).map((name) => megabytesIn(join(path, name))) : [];
    return inside.reduce((sum, each) => sum + each, (found.blocks * 512) / 1024 ** 2);
  } catch {
    return 0;
  }
}
