import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { eventually } from '../../testing/eventually.ts';
import { createFleetBench, type FleetBench } from './testing/fleet-bench.ts';

const asleep = { settings: { LILAC_IDLE_TO_ZERO_AFTER: '150ms' } };

async function deployed(bench: FleetBench) {
  await bench.work();
  return bench.deploy(bench.subject);
}

describe('an environment that nobody asks', () => {
  it('falls asleep, and wakes for a request, which is answered', async () => {
    await using bench = await createFleetBench(asleep);
    const live = await deployed(bench);
    for (let round = 0; round < 3; round++) {
      await bench.settled(0);
      expect(await bench.ask()).toMatchObject({ status: 200, deploymentId: live.id });
    }
    expect(bench.runtime.started.length).toBeGreaterThanOrEqual(4);
    expect(await bench.statuses(bench.subject)).toMatchObject({ environment: 'healthy' });
  });

  it('is told of an instance before that listens', async () => {
    await using bench = await createFleetBench(asleep);
    await deployed(bench);
    await bench.settled(0);
    bench.runtime.behave = () => ({ isDeaf: true });
    await bench.edges[0].demand(bench.environmentId, { waiting: 1 });
    expect(await bench.settled(1)).toHaveLength(1);
  });

  it('wakes for a burst with as many as that needs, and no more while they boot', async () => {
    await using bench = await createFleetBench(asleep);
    await bench.store.pool.query('update applications set concurrency = 10');
    await deployed(bench);
    await bench.settled(0);
    const before = bench.runtime.started.length;
    bench.runtime.behave = () => ({ bootMs: 300 });
    for (const edge of bench.edges) await edge.demand(bench.environmentId, { waiting: 20 });
    await eventually('four start', () => bench.runtime.started.length === before + 4);
    await eventually(
      'they are listed',
      () => bench.edges[0].targets(bench.environmentId).at(-1)!.instances.length === 4,
    );
    await delay(250);
    expect(bench.runtime.started.length).toBe(before + 4);
  });

  it('is forgotten when it has slept for long, and woken and scaled as any other', async () => {
    await using bench = await createFleetBench({ ...asleep, fleetTiming: { forgetMs: 100 } });
    const live = await deployed(bench);
    const forgotten = () => eventually('nobody has it in mind', () => bench.fleet.inMind() === 0);
    await forgotten();
    expect(await bench.ask()).toMatchObject({ status: 200, deploymentId: live.id });
    expect(bench.fleet.inMind()).toBe(1);
    await forgotten();
    await bench.scale(2, 3);
    await bench.settled(2);
    await bench.scale(0, 3);
    await forgotten();
    const next = await bench.deploy(bench.subject);
    expect(await bench.ask()).toMatchObject({ status: 200, deploymentId: next.id });
  });

  it('is kept in mind while it crashes: how often counts', async () => {
    const fleetTiming = { forgetMs: 0, firstBackoffMs: 20, longestBackoffMs: 20 };
    await using bench = await createFleetBench({ ...asleep, fleetTiming });
    await deployed(bench);
    await bench.settled(0);
    bench.runtime.behave = () => ({ exit: { exitCode: 1, isOutOfMemory: false, afterMs: 0 } });
    await bench.edges[0].demand(bench.environmentId, { waiting: 1 });
    await eventually('that it crashes is told', async () => (await bench.trouble()) !== null);
    expect(bench.fleet.inMind()).toBe(1);
  });

  it('stays awake while a request is under way, however long', async () => {
    await using bench = await createFleetBench(asleep);
    await deployed(bench);
    bench.edges[0].environments[bench.environmentId] = { inFlight: 1, waiting: 0, requests: 1 };
    bench.runtime.behave = () => ({});
    await delay(600);
    expect(bench.running().length).toBe(1);
    bench.edges[0].environments[bench.environmentId] = { inFlight: 0, waiting: 0, requests: 1 };
    expect(await bench.settled(0)).toHaveLength(0);
  });

  it('has its least number all the same, from the moment it is asked for', async () => {
    await using bench = await createFleetBench(asleep);
    await deployed(bench);
    await bench.settled(0);
    await bench.scale(2, 10);
    await bench.settled(2);
    await bench.scale(0, 10);
    expect(await bench.settled(0)).toHaveLength(0);
  });
});

describe('an environment with much to do', () => {
  it('gets more instances at once, and loses them when they are not needed any more, each after its last request', async () => {
    await using bench = await createFleetBench();
    await bench.store.pool.query('update applications set concurrency = 10');
    await deployed(bench);
    await bench.settled(1);
    await bench.edges[0].demand(bench.environmentId, { inFlight: 10, waiting: 15 });
    const three = await bench.settled(3);
    for (const { id } of three) bench.edges[0].instances[id] = 1;
    bench.runtime.onStop = (id) => {
      expect(bench.edges[0].instances[id]).toBeUndefined();
      for (const edge of bench.edges) {
        expect(
          edge
            .targets(bench.environmentId)
            .at(-1)!
            .instances.map((one) => one.id),
        ).not.toContain(id);
      }
    };
    bench.edges[0].environments[bench.environmentId] = { inFlight: 3, waiting: 0, requests: 30 };
    await eventually(
      'two take no more',
      () => bench.edges[0].targets(bench.environmentId).at(-1)!.instances.length === 1,
    );
    expect(bench.running().length).toBe(3);
    for (const { id } of three) {
      delete bench.edges[0].instances[id];
      await bench.edges[0].tellDrained(id);
    }
    expect(await bench.settled(1)).toHaveLength(1);
  });

  it('gets no more than its most, nor than the plan allows', async () => {
    await using bench = await createFleetBench();
    await bench.store.pool.query(`update organisations set plan = 'free'`);
    await bench.store.pool.query('update applications set concurrency = 1');
    await deployed(bench);
    await bench.edges[0].demand(bench.environmentId, { waiting: 50 });
    await bench.settled(3);
    await bench.scale(0, 2);
    expect(await bench.settled(2)).toHaveLength(2);
    await eventually('edges know', () => bench.edges[0].targets(bench.environmentId).at(-1)!.maxInstances === 2);
  });

  it('of its processors gets more instances too', async () => {
    await using bench = await createFleetBench();
    bench.runtime.cpuUse = 0.5;
    await deployed(bench);
    await eventually('another one runs', () => bench.running().length >= 2);
    expect(bench.edges[0].environments[bench.environmentId]?.inFlight ?? 0).toBe(0);
  });

  it('lists one that boots only when it listens, while others serve', async () => {
    await using bench = await createFleetBench();
    await deployed(bench);
    const [first] = await bench.settled(1);
    bench.runtime.behave = () => ({ bootMs: 200 });
    await bench.scale(2, 10);
    await eventually('it starts', () => bench.running().length === 2);
    expect(
      bench.edges[0]
        .targets(bench.environmentId)
        .at(-1)!
        .instances.map(({ id }) => id),
    ).toEqual([first!.id]);
    expect(await bench.settled(2)).toHaveLength(2);
  });
});

it('what is told by nobody is found by looking', async () => {
  await using bench = await createFleetBench();
  await deployed(bench);
  await bench.settled(1);
  await bench.setEnvironment({ min_instances: 3 });
  expect(await bench.settled(3)).toHaveLength(3);
});
