import { processorTime, URGENT_TIMES, type CgroupVersion } from './cgroup.ts';

/** The kernel's own. */
const USUAL_SHARES = 1024;

/** What waits in connections is memory of the kernel, which this version counts and limits apart. */
const LEAST_TCP_MB = 16;

/** Every controller mounted by itself. */
export const versionOne: CgroupVersion = {
  prepare: () => {},
  limitsOf({ memoryMb, cpus, pids, isUrgent = false }) {
    const bytes = String(memoryMb * 1024 ** 2);
    const { periodUs, quotaUs } = processorTime({ cpus });
    return {
      memory: {
        'memory.limit_in_bytes': bytes,
        'memory.memsw.limit_in_bytes': bytes,
        'memory.kmem.tcp.limit_in_bytes': String(Math.max(LEAST_TCP_MB, memoryMb / 4) * 1024 ** 2),
      },
      cpu: {
        'cpu.cfs_period_us': String(periodUs),
        'cpu.cfs_quota_us': String(quotaUs ?? -1),
        'cpu.shares': String(USUAL_SHARES * (isUrgent ? URGENT_TIMES : 1)),
      },
      pids: { 'pids.max': String(pids) },
    };
  },
  outOfMemoryFile: 'memory.oom_control',
  freezer: { file: 'freezer.state', frozen: 'FROZEN', thawed: 'THAWED' },
};
