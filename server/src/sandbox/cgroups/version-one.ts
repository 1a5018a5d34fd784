import type { CgroupVersion } from './cgroup.ts';

const PERIOD_US = 100_000;

/** Every controller mounted by itself. */
export const versionOne: CgroupVersion = {
  prepare: () => {},
  limitsOf: ({ memoryMb, cpus, pids }) => ({
    memory: {
      'memory.limit_in_bytes': String(memoryMb * 1024 ** 2),
      'memory.memsw.limit_in_bytes': String(memoryMb * 1024 ** 2),
    },
    cpu: { 'cpu.cfs_period_us': String(PERIOD_US), 'cpu.cfs_quota_us': String(Math.round(cpus * PERIOD_US)) },
    pids: { 'pids.max': String(pids) },
  }),
  outOfMemoryFile: 'memory.oom_control',
};
