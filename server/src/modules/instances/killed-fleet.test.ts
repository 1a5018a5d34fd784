import { describe, expect, it } from 'vitest';
import { findRoute } from '../../routing/route-store.ts';
import { eventually } from '../../testing/eventually.ts';
import { createDeploymentsBench } from '../deployments/testing/deployments-bench.ts';
import { readOutlines } from './fleet-store.ts';
import { tearDownInstances } from './testing/delete-environment.ts';
import { createFleetBench, type FleetBench } from './testing/fleet-bench.ts';

const versionOf = async ({ store, environmentId }: FleetBench) => (await findRoute(store.db, environmentId))!.version;

describe('a fleet that takes over', () => {
  it('finds what runs and changes nothing: no instance, no route', async () => {
    await using bench = await createFleetBench();
    await bench.work();
    await bench.setEnvironment({ min_instances: 2 });
    await bench.deploy(bench.subject);
    const before = await bench.settled(2);
    await bench.fleet.stop();
    const version = await versionOf(bench);
    await bench.keep();
    const seen = bench.edges[0].targets(bench.environmentId).length;
    bench.runtime.crash(before[0]!.id);
    await eventually('it is watched', () => bench.runtime.started.length === 3);
    const targets = bench.edges[0].targets(bench.environmentId).slice(seen);
    expect(targets.every(({ instances }) => instances.some(({ id }) => id === before[1]!.id))).toBe(true);
    expect(version).toBeGreaterThan(0);
    await bench.settled(2);
  });

  it('changes no route when nothing has changed', async () => {
    await using bench = await createFleetBench();
    await bench.work();
    await bench.deploy(bench.subject);
    const [instance] = await bench.settled(1);
    await bench.fleet.stop();
    const version = await versionOf(bench);
    const fleet = await bench.keep();
    await eventually('it is adopted', () => fleet.serving(bench.environmentId).length === 1);
    await bench.store.pool.query(`select pg_notify('lilac_fleet', $1)`, [bench.environmentId]);
    expect(await bench.ask()).toMatchObject({ id: instance!.id });
    expect(await versionOf(bench)).toBe(version);
  });

  it('looks at nobody who sleeps as it should, and wakes it when somebody comes', async () => {
    await using bench = await createFleetBench({ settings: { LILAC_IDLE_TO_ZERO_AFTER: '150ms' } });
    await bench.work();
    await bench.deploy(bench.subject);
    await bench.settled(0);
    await bench.fleet.stop();
    const looked = async () => (await readOutlines(bench.store.db, [])).map(({ environmentId }) => environmentId);
    expect(await looked()).toEqual([]);
    for (const change of [
      { min_instances: 1 },
      { max_instances: 7 },
      { trouble: 'it fails' },
      { status: 'deleting' },
    ]) {
      const { rows } = await bench.store.pool.query('select * from environments where id = $1', [bench.environmentId]);
      await bench.setEnvironment(change);
      expect([change, await looked()]).toEqual([change, [bench.environmentId]]);
      await bench.setEnvironment(
        Object.fromEntries(Object.keys(change).map((name) => [name, (rows[0] as Record<string, unknown>)[name]])),
      );
    }
    await bench.keep();
    expect(await bench.ask()).toMatchObject({ status: 200 });
  });

  it('takes from the list what has ended meanwhile', async () => {
    await using bench = await createFleetBench();
    await bench.work();
    await bench.deploy(bench.subject);
    const [old] = await bench.settled(1);
    await bench.fleet.stop();
    bench.runtime.crash(old!.id);
    await bench.keep();
    await bench.settled(0);
    expect((await bench.ask()).id).not.toBe(old!.id);
    await eventually('it is removed', async () => (await bench.runtime.list()).every(({ id }) => id !== old!.id));
  });

  it('drains and stops what a killed one was about to', async () => {
    await using bench = await createFleetBench();
    await bench.work();
    await bench.deploy(bench.subject);
    const [old] = await bench.settled(1);
    bench.edges[0].instances[old!.id] = 1;
    const next = await bench.deploy(bench.subject);
    await bench.fleet.stop();
    await bench.keep();
    expect(bench.runtime.stopped).not.toContain(old!.id);
    delete bench.edges[0].instances[old!.id];
    const [now] = await bench.settled(1);
    expect(now!.deploymentId).toBe(next.id);
  });
});

describe('a worker that is killed in the middle of a release', () => {
  it.each(['starting', 'checking', 'routing'] as const)(
    'at %s leaves it to the next, which uses what was started',
    async (stage) => {
      await using bench = await createFleetBench();
      const worker = await bench.work();
      const first = await bench.deploy(bench.subject);
      await bench.settled(1);
      const { prepare } = bench.deps.fleet;
      if (stage === 'starting') bench.runtime.behave = () => ({ bootMs: 400 });
      else bench.edges[1].isLagging = stage === 'checking';
      if (stage === 'routing') {
        bench.deps.fleet.prepare = async (...given) => {
          const candidates = await prepare(...given);
          const { addresses } = candidates;
          let calls = 0;
          return { ...candidates, addresses: () => ((bench.edges[1].isLagging = ++calls > 1), addresses()) };
        };
      }
      const { id } = await bench.start(bench.subject);
      await eventually(
        `it is ${stage}`,
        async () => (await bench.read(id)).stage === stage && bench.running().length === 2,
      );
      await worker.stop({ finishMs: 0 });
      await bench.fleet.stop();
      bench.deps.fleet.prepare = prepare;
      expect((await bench.read(id)).status).toBe('deploying');
      expect(
        bench
          .running()
          .map(({ deploymentId }) => deploymentId)
          .toSorted(),
      ).toEqual([first.id, id].toSorted());
      bench.edges[1].isLagging = false;
      await bench.keep();
      await bench.work();
      await bench.waitFor(id, 'healthy');
      await bench.settled(1);
      expect(bench.runtime.started).toHaveLength(2);
      expect(await bench.ask()).toMatchObject({ deploymentId: id });
    },
  );
});

describe('an environment that is deleted', () => {
  it('withdraws its address first, lets requests end, and stops its instances before its files go', async () => {
    await using bench = await createFleetBench();
    await bench.work();
    await bench.deploy(bench.subject);
    const [instance] = await bench.settled(1);
    bench.edges[0].instances[instance!.id] = 1;
    const { cleared } = await tearDownInstances(bench);
    await eventually('edges have forgotten it', () =>
      bench.edges.every((edge) => edge.routes.get(bench.environmentId)!.target === null),
    );
    expect(bench.runtime.stopped).toEqual([]);
    delete bench.edges[0].instances[instance!.id];
    await cleared;
    expect(bench.runtime.stopped).toEqual([instance!.id]);
  });

  it('while it is being released leaves nothing running', async () => {
    await using bench = await createFleetBench();
    await bench.work();
    bench.runtime.behave = () => ({ isDeaf: true });
    const { id } = await bench.start(bench.subject);
    await eventually('it starts', () => bench.running().length === 1);
    await (
      await tearDownInstances(bench)
    ).cleared;
    expect(await bench.read(id)).toMatchObject({ status: 'cancelled' });
    await eventually('nothing runs', () => bench.running().length === 0);
  });
});

it('a fleet that is stopped before it was started keeps nobody waiting', async () => {
  await using bench = await createDeploymentsBench();
  const { signal } = new AbortController();
  const of = { deploymentId: 'dep_1', environmentId: 'env_1' };
  const waiting = [bench.fleet.prepare(of, { signal, onNote: () => {} }), bench.fleet.clear('env_1', signal)];
  await bench.fleet.stop();
  const ends = await Promise.allSettled(waiting);
  expect(ends.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
});
