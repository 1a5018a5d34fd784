import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { processorTime, URGENT_TIMES, type CgroupVersion } from './cgroup.ts';
import { PLATFORM_GROUP } from './find-folders.ts';

/** The kernel's own. */
const USUAL_WEIGHT = 100;

/** One hierarchy for all controllers. */
export const versionTwo: CgroupVersion = {
  prepare(parent, controllers) {
    const isOn = readFileSync(join(parent, 'cgroup.subtree_control'), 'utf8').trim().split(' ');
    const missing = controllers.filter((name) => !isOn.includes(name));
    if (missing.length === 0) return;
    const wish = missing.map((name) => `+${name}`).join(' ');
    try {
      writeFileSync(join(parent, 'cgroup.subtree_control'), wish);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EBUSY') throw error;
      moveMembersDown(parent);
      writeFileSync(join(parent, 'cgroup.subtree_control'), wish);
    }
  },
  limitsOf({ memoryMb, cpus, pids, isUrgent = false }) {
    const { periodUs, quotaUs } = processorTime({ cpus });
    return {
      memory: { 'memory.max': String(memoryMb * 1024 ** 2), 'memory.swap.max': '0' },
      cpu: {
        'cpu.max': `${quotaUs ?? 'max'} ${periodUs}`,
        'cpu.weight': String(USUAL_WEIGHT * (isUrgent ? URGENT_TIMES : 1)),
      },
      pids: { 'pids.max': String(pids) },
    };
  },
  outOfMemoryFile: 'memory.events',
  freezer: { file: 'cgroup.freeze', frozen: '1', thawed: '0' },
};

/** A group whose children are limited may hold no process itself. */
function moveMembersDown(parent: string): void {
  const leaf = join(parent, PLATFORM_GROUP);
  mkdirSync(leaf, { recursive: true });
  for (const pid of readFileSync(join(parent, 'cgroup.procs'), 'utf8').split('\n').filter(Boolean)) {
    try {
      writeFileSync(join(leaf, 'cgroup.procs'), pid);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }
}
