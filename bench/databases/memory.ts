import { readFileSync } from 'node:fs';
import { processesOf } from '../../e2e/left-processes.ts';

/** Memory of all processes below a folder, what they share counted once: their proportional set size. */
export function megabytesOf(folder: string): number {
  const kilobytes = processesOf(folder).map((pid) => {
    try {
      return Number(/^Pss:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1] ?? 0);
    } catch {
      return 0;
    }
  });
  return kilobytes.reduce((sum, each) => sum + each, 0) / 1024;
}
