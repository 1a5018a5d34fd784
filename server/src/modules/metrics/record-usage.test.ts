import { expect, it } from 'vitest';
import { readConfig } from '../../config.ts';
import { systemClock } from '../../lib/clock.ts';
import { silentLog } from '../../lib/log.ts';
import { createChannelHub } from '../../routing/channel-hub.ts';
import { eventually } from '../../testing/eventually.ts';
import { createFleet, FLEET_CHANNELS } from '../instances/create-fleet.ts';
import { createFleetBench } from '../instances/testing/fleet-bench.ts';
import { readDetailed } from './read-series.ts';
import { createUsageRecorder } from './record-usage.ts';

it('shows what instances use, from the fleet that sees them to whoever asks', async () => {
  await using bench = await createFleetBench();
  const { store, keyring, runtime, environmentId } = bench;
  await bench.work();
  await bench.deploy(bench.subject);
  await bench.settled(1);
  const { cpus } = runtime.started.at(-1)!;
  runtime.cpuUse = cpus / 2;
  await bench.fleet.stop();
  const usage = createUsageRecorder({ store, clock: systemClock, log: silentLog });
  let looks = 0;
  const fleet = createFleet({
    store,
    channels: createChannelHub(store, FLEET_CHANNELS),
    keyring,
    runtime,
    clock: systemClock,
    log: silentLog,
    config: readConfig({ LILAC_IDLE_TO_ZERO_AFTER: '1h' }),
    timing: { tickMs: 20 },
    onUsage: (instances) => {
      usage.note(instances);
      looks++;
    },
  });
  await fleet.start();
  await eventually('it has looked some times', () => looks > 20);
  await fleet.stop();
  await usage.close();
  const environment = { id: environmentId, created_at: new Date(0) };
  const names = ['cpu', 'memory', 'instanceCount', 'requestCount'] as const;
  const { series } = await readDetailed(store.db, environment, { range: '7d', names, nowMs: Date.now() });
  const last = Object.fromEntries(series.map(([name, points]) => [name, points.at(-1)?.value]));
  expect(last).toMatchObject({ memory: 1_000_000, instanceCount: 1 });
  expect(last['requestCount']).toBeUndefined();
  expect(last['cpu']).toBeGreaterThan(40);
  expect(last['cpu']).toBeLessThan(60);
});
