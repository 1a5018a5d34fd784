import { readdirSync, readFileSync } from 'node:fs';

/** Megabytes that a process costs: what it has alone, and its share of what several have (proportional set size). */
export function memoryOf(pid: number): number {
  const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
  return Number(/^Pss:\s+(\d+) kB$/m.exec(rollup)?.[1]) / 1024;
}

/** The same of several processes. */
export const memoryOfAll = (pids: readonly number[]): number => pids.reduce((sum, pid) => sum + memoryOf(pid), 0);

/** The same of a process and everything it started; what of that ends meanwhile costs nothing. */
export function memoryOfTree(root: number): number {
  const [, ...started] = treeOf(root);
  return memoryOf(root) + started.reduce((sum, pid) => sum + memoryIfThere(pid), 0);
}

function memoryIfThere(pid: number): number {
  try {
    return memoryOf(pid) || 0;
  } catch {
    return 0;
  }
}

/** A process and everything it started. */
export function treeOf(root: number): number[] {
  const parents = new Map(allPids().map((pid) => [pid, parentOf(pid)]));
  const below = (pid: number): number[] => {
    const children = [...parents].filter(([, parent]) => parent === pid).map(([child]) => child);
    return [pid, ...children.flatMap((child) => below(child))];
  };
  return below(root);
}

function allPids(): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
}

export function parentOf(pid: number): number | null {
  try {
    return Number(/^PPid:\s+(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
  } catch {
    return null;
  }
}
