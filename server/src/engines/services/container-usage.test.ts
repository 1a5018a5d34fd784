import { expect, it } from 'vitest';
import { usageOf } from './container-usage.ts';

it.each<{ version: number; stats: Record<string, number> }>([
  { version: 1, stats: { total_active_file: 10, total_inactive_file: 20, active_file: 1, inactive_file: 2 } },
  { version: 2, stats: { active_file: 10, inactive_file: 20 } },
])('what a container uses is told without what is only kept of files, in version $version', ({ stats }) => {
  const told = { cpu_stats: { cpu_usage: { total_usage: 2.5e9 } }, memory_stats: { usage: 100, stats } };
  expect(usageOf(told)).toEqual({ cpuSeconds: 2.5, memoryBytes: 70 });
});

it('one that has just ended has used nothing that anybody could tell', () => {
  expect(usageOf({ cpu_stats: {}, memory_stats: {} })).toEqual({ cpuSeconds: 0, memoryBytes: 0 });
});
