import { describe, expect, it } from 'vitest';
import { readAllLines } from '../../logs/testing/log-world.ts';
import { eventually } from '../../testing/eventually.ts';
import { createFleetBench, type FleetBench } from './testing/fleet-bench.ts';

/** Instances whose `/health` says what it is told to. */
async function deployAsked(count: number, timing: { sickMs: number }, settings?: Record<string, string>) {
  const bench = await createFleetBench({ fleetTiming: timing, settings });
  const place = { table: 'environments', column: 'variables', row: bench.environmentId } as const;
  const variables = bench.keyring.seal(JSON.stringify({ LILAC_HEALTH_PATH: '/health' }), place);
  await bench.setEnvironment({ variables, min_instances: count, max_instances: count });
  const ill = { isIll: (_id: string): boolean => false };
  bench.runtime.behave = ({ id, deploymentId, env }) => ({
    respond: (request, response) => {
      response.statusCode = request.url === '/health' && ill.isIll(id) ? 503 : 200;
      response.end(JSON.stringify({ id, deploymentId, env }));
    },
  });
  await bench.work();
  const live = await bench.deploy(bench.subject);
  return { bench, ill, live, instances: await bench.settled(count) };
}

function listed({ edges, environmentId }: FleetBench): string[] {
  const target = edges[0].routes.get(environmentId)?.target;
  return target?.kind === 'instances' ? target.instances.map(({ id }) => id).toSorted() : [];
}

describe('an instance whose health path says that it is not well', () => {
  it('gets no requests until it is', async () => {
    const { bench, ill, instances } = await deployAsked(2, { sickMs: 600_000 });
    await using _ = bench;
    const [one, other] = instances.map(({ id }) => id) as [string, string];
    ill.isIll = (id) => id === one;
    await eventually('it is out', () => listed(bench).join() === other);
    expect(await bench.trouble()).toBeNull();
    ill.isIll = () => false;
    await eventually('it is in again', () => listed(bench).length === 2);
    expect(listed(bench)).toEqual([one, other].toSorted());
    const told = async () => (await readAllLines(bench.store.db, bench.environmentId)).map(({ message }) => message);
    await eventually('it is told', async () => (await told()).includes(`Instance ${one} is well again.`));
    expect(await told()).toContain(`Instance ${one} is not well: /health answered with status 503.`);
  });

  it('for long is replaced', async () => {
    const { bench, ill, instances } = await deployAsked(2, { sickMs: 100 });
    await using _ = bench;
    const [one, other] = instances.map(({ id }) => id) as [string, string];
    ill.isIll = (id) => id === one;
    await eventually('it is stopped', () => bench.runtime.stopped.includes(one));
    const after = await bench.settled(2);
    expect(after.map(({ id }) => id)).toContain(other);
  });

  it('serves on when nobody is well, and the trouble is told until one is', async () => {
    const { bench, ill, instances } = await deployAsked(2, { sickMs: 600_000 });
    await using _ = bench;
    ill.isIll = () => true;
    await eventually('it is told', async () => (await bench.trouble())?.includes('No instance is well') ?? false);
    expect(await bench.trouble()).toContain('/health answered with status 503');
    expect((await bench.statuses(bench.subject)).environment).toBe('degraded');
    const all = instances.map(({ id }) => id).toSorted();
    await eventually('all serve', () => listed(bench).join() === all.join());
    expect(await bench.ask()).toMatchObject({ status: 200 });
    ill.isIll = () => false;
    await eventually('it is healthy', async () => (await bench.statuses(bench.subject)).environment === 'healthy');
    expect(await bench.trouble()).toBeNull();
  });

  it('and is the only one serves until another, started beside it, is well', async () => {
    const { bench, ill, instances } = await deployAsked(1, { sickMs: 100 });
    await using _ = bench;
    const first = instances[0]!.id;
    const gaps: number[] = [];
    ill.isIll = (id) => id === first;
    await eventually('it is stopped', () => {
      if (listed(bench).length === 0) gaps.push(bench.running().length);
      return bench.runtime.stopped.includes(first);
    });
    expect(gaps).toEqual([]);
    expect((await bench.settled(1))[0]!.id).not.toBe(first);
    await eventually('it is healthy', async () => (await bench.statuses(bench.subject)).environment === 'healthy');
  });

  it('falls asleep like any other, with the one that was started beside it', async () => {
    const { bench, ill } = await deployAsked(1, { sickMs: 50 }, { LILAC_IDLE_TO_ZERO_AFTER: '1s' });
    await using _ = bench;
    ill.isIll = () => true;
    await eventually('another is tried', () => bench.runtime.started.length > 1);
    await bench.scale(0, 1);
    await eventually('nothing runs', () => bench.running().length === 0);
    expect(await bench.ask()).toMatchObject({ status: 200 });
  });

  it('like all that are started after it: at most one more runs at a time, and one serves at any time', async () => {
    const { bench, ill } = await deployAsked(1, { sickMs: 50 });
    await using _ = bench;
    ill.isIll = () => true;
    const seen: number[] = [];
    await eventually('some were tried', () => {
      // What no edge lists any more, and is being stopped, is not counted.
      seen.push(listed(bench).length);
      return bench.runtime.started.length >= 4;
    });
    expect(Math.min(...seen)).toBeGreaterThanOrEqual(1);
    expect(Math.max(...seen)).toBeLessThanOrEqual(2);
  });
});
