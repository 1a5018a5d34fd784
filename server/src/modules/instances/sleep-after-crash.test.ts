import { expect, it } from 'vitest';
import { eventually } from '../../testing/eventually.ts';
import { createFleetBench } from './testing/fleet-bench.ts';

const NEVER_MS = 3_600_000;

it('one that falls asleep without a crash ends the trouble of those before it, and is woken as ever', async () => {
  await using bench = await createFleetBench({
    settings: { LILAC_IDLE_TO_ZERO_AFTER: '300ms', LILAC_SCALE_DOWN_AFTER: '300ms' },
    fleetTiming: { stableMs: NEVER_MS },
  });
  await bench.work();
  await bench.deploy(bench.subject);
  bench.runtime.behave = () => ({ exit: { afterMs: 30, exitCode: 7, isOutOfMemory: false } });
  const [first] = await bench.settled(1);
  bench.runtime.crash(first!.id);
  await eventually('there is trouble', async () => {
    void bench.ask().catch(() => {});
    return (await bench.trouble()) !== null;
  });
  bench.runtime.behave = () => ({});
  await eventually('it sleeps', () => bench.running().length === 0);
  await eventually('the trouble is over', async () => (await bench.trouble()) === null);
  expect(await bench.ask()).toMatchObject({ status: 200 });
});
