import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { pathsOf } from '../../config.ts';
import { eventually } from '../../testing/eventually.ts';
import { readRecord } from '../held/instance-record.ts';
import { openInstanceBench } from './testing/instance-bench.ts';

/** What the kernel holds it to, and how much it weighs against others; null where nothing does. */
function processorOf(home: string, id: string): { quota: string; weight: string } | null {
  const group = readRecord(join(pathsOf({ home }).instances, id))!.cgroup.find(({ controllers }) =>
    controllers.includes('cpu'),
  );
  if (!group) return null;
  const [quota, weight] = group.version === 1 ? ['cpu.cfs_quota_us', 'cpu.shares'] : ['cpu.max', 'cpu.weight'];
  const read = (file: string) => readFileSync(join(group.path, file), 'utf8').trim();
  return { quota: read(quota), weight: read(weight) };
}

it('an instance has more processor time than its own while it starts, and then its own, whoever keeps it by then', async (context) => {
  await using bench = await openInstanceBench();
  const { home } = bench.subject;
  const id = await bench.start('sleep 1000', { cpus: 0.5 });
  const first = processorOf(home, id);
  context.skip(first === null, 'no control group here limits processor time');
  const own = /^50000( 100000)?$/;
  expect(first!.quota).not.toMatch(own);
  expect(first!.weight).toMatch(/^4(00|096)$/);
  // The process that started it is gone; the next one finds it.
  await bench.runtime.close();
  const next = bench.subject.create();
  await next.open();
  await eventually('it has its own', () => own.test(processorOf(home, id)!.quota));
  expect(processorOf(home, id)!.weight).toMatch(/^10(0|24)$/);
  await next.close();
});
