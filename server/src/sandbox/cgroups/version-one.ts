import { processorTime, type CgroupVersion } from './cgroup.ts';

/** What waits in connections is memory of the kernel, which this version counts and limits apart. */
const LEAST_TCP_MB = 16;

/** Every controller mounted by itself. */
export const versionOne: CgroupVersion = {
  prepare: () => {},
  limitsOf({ memoryMb, cpus, pids }) {
    const bytes = String(memoryMb * 1024 ** 2);
    const { periodUs, quotaUs } = processorTime({ cpus });
    return {
      memory: {
        'memory.limit_in_bytes': bytes,
        'memory.memsw.limit_in_bytes': bytes,
        'memory.kmem.tcp.limit_in_bytes': String(Math.max(LEAST_TCP_MB, memoryMb / 4) * 1024 ** 2),
      },
      cpu: { 'cpu.cfs_period_us': String(periodUs), 'cpu.cfs_quota_us': String(quotaUs ?? -1) },
      pids: { 'pids.max': String(pids) },
    };
  },
  outOfMemoryFile: 'memory.oom_control',
  freezer: { file: 'freezer.state', frozen: 'FROZEN', thawed: 'THAWED' },
};
