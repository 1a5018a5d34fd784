/** What an engine tells of a container, as far as it matters here. */
export interface ContainerStats {
  cpu_stats: { cpu_usage?: { total_usage?: number } };
  memory_stats: { usage?: number; stats?: Record<string, number> };
}

/** What it has used, without what the kernel only keeps of files: it gives that back when somebody needs the room. */
export function usageOf({ cpu_stats, memory_stats }: ContainerStats): { cpuSeconds: number; memoryBytes: number } {
  const { usage = 0, stats = {} } = memory_stats;
  // Version 1 of control groups counts apart what is in the groups below.
  const prefix = 'total_inactive_file' in stats ? 'total_' : '';
  const files = (stats[`${prefix}active_file`] ?? 0) + (stats[`${prefix}inactive_file`] ?? 0);
  return { cpuSeconds: (cpu_stats.cpu_usage?.total_usage ?? 0) / 1e9, memoryBytes: Math.max(0, usage - files) };
}
