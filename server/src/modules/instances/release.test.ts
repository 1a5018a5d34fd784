import { describe, expect, it } from 'vitest';
import { findRoute } from '../../routing/route-store.ts';
import { eventually } from '../../testing/eventually.ts';
import { createFleetBench } from './testing/fleet-bench.ts';

describe('the release of a server', () => {
  it('starts it, checks it through the router, and serves it', async () => {
    await using bench = await createFleetBench();
    await bench.work();
    const done = await bench.deploy(bench.subject);
    expect(done.run).toMatchObject({ port: 8080, isPortKnown: false, memoryMb: 512, cpus: 0.5, concurrency: 80 });
    const [instance] = await bench.settled(1);
    expect(await bench.ask()).toMatchObject({ status: 200, id: instance!.id, deploymentId: done.id });
    expect(await bench.statuses(bench.subject)).toMatchObject({ environment: 'healthy', live: done.id });
    expect((await bench.logOf(done.id)).slice(-4)).toEqual([
      '==> Releasing',
      '==> Starting',
      '$ node server.js',
      expect.stringMatching(/^==> Live at http/),
    ]);
    const route = await findRoute(bench.store.db, bench.environmentId);
    expect(route!.target).toMatchObject({ kind: 'instances', probe: null, outage: null, maxInstances: 10 });
  });

  it('gives it what it had when it was built, also after a rollback, byte for byte', async () => {
    await using bench = await createFleetBench();
    await bench.work();
    const seal = (variables: object) =>
      bench.keyring.seal(JSON.stringify(variables), {
        table: 'environments',
        column: 'variables',
        row: bench.environmentId,
      });
    await bench.setEnvironment({ variables: seal({ SECRET: 'a\n"$1"', PORT: '1' }), memory: '1Gi' });
    const first = await bench.deploy(bench.subject);
    expect(bench.builder.requests[0]!.variables).toEqual({ SECRET: 'a\n"$1"', PORT: '1' });
    await bench.setEnvironment({ variables: seal({ SECRET: 'other' }), memory: null });
    const second = await bench.deploy(bench.subject);
    expect((await bench.ask()).env).toMatchObject({ SECRET: 'other' });
    await bench.rollBack(bench.subject, first.id);
    await bench.waitFor(first.id, 'healthy');
    const { env } = await bench.ask();
    expect(env).toMatchObject({ SECRET: 'a\n"$1"', LILAC_DEPLOYMENT_ID: first.id });
    expect(env).not.toHaveProperty('PORT');
    expect(bench.runtime.started.map(({ deploymentId, memoryMb, cpus }) => [deploymentId, memoryMb, cpus])).toEqual([
      [first.id, 1024, 1],
      [second.id, 512, 0.5],
      [first.id, 1024, 1],
    ]);
  });

  it('replaces as many as serve, and stops the old ones after every edge has let them go', async () => {
    await using bench = await createFleetBench();
    await bench.work();
    await bench.setEnvironment({ min_instances: 2 });
    await bench.deploy(bench.subject);
    const old = await bench.settled(2);
    const busy = old[0]!.id;
    bench.edges[1].instances[busy] = 1;
    bench.runtime.onStop = (id) => {
      for (const edge of bench.edges) {
        expect(
          edge
            .targets(bench.environmentId)
            .at(-1)!
            .instances.map((one) => one.id),
        ).not.toContain(id);
        expect(edge.instances[id] ?? 0).toBe(0);
      }
    };
    const next = await bench.deploy(bench.subject);
    await eventually('the idle one is stopped', () => bench.runtime.stopped.includes(old[1]!.id));
    expect(bench.runtime.stopped).not.toContain(busy);
    delete bench.edges[1].instances[busy];
    await bench.edges[1].tellDrained(busy);
    const now = await bench.settled(2);
    expect(now.every(({ deploymentId }) => deploymentId === next.id)).toBe(true);
  });

  it('stops an old one that is never done when its time is over', async () => {
    await using bench = await createFleetBench({ settings: { LILAC_DRAIN_WITHIN: '200ms' } });
    await bench.work();
    await bench.deploy(bench.subject);
    const [old] = await bench.settled(1);
    bench.edges[0].instances[old!.id] = 1;
    await bench.deploy(bench.subject);
    await eventually('it is stopped', () => bench.runtime.stopped.includes(old!.id));
    expect(bench.edges[0].instances[old!.id]).toBe(1);
  });

  it('never stops an old one while an edge has not followed', async () => {
    await using bench = await createFleetBench({ releaseTiming: { followMs: 300, absentMs: 300, returnMs: 300 } });
    await bench.work();
    const first = await bench.deploy(bench.subject);
    const [old] = await bench.settled(1);
    bench.edges[1].isLagging = true;
    const { id } = await bench.start(bench.subject);
    await bench.waitFor(id, 'failed');
    expect(bench.runtime.stopped).toEqual([]);
    bench.edges[1].isLagging = false;
    expect((await bench.settled(1))[0]!.id).toBe(old!.id);
    expect(await bench.ask()).toMatchObject({ deploymentId: first.id });
    expect(await bench.statuses(bench.subject)).toMatchObject({ environment: 'degraded', live: first.id });
  });

  it('lets edges know where it will be while it still starts, and asks there once it listens', async () => {
    await using bench = await createFleetBench();
    await bench.work();
    const first = await bench.deploy(bench.subject);
    bench.runtime.behave = () => ({ bootMs: 1000 });
    const { id } = await bench.start(bench.subject);
    const probed = () => bench.edges[1].targets(bench.environmentId).at(-1)!.probe?.instances;
    await eventually('edges know it', () => probed()?.length === 1);
    expect(await bench.read(id)).toMatchObject({ stage: 'starting' });
    expect(await bench.ask()).toMatchObject({ deploymentId: first.id });
    await bench.waitFor(id, 'healthy');
    const probes = bench.edges[1].targets(bench.environmentId).flatMap(({ probe }) => probe?.token ?? []);
    // Its own, and that of the release before it.
    expect(new Set(probes).size).toBe(2);
    expect(await bench.ask()).toMatchObject({ deploymentId: id });
  });

  it('that is the first keeps nobody waiting while it starts', async () => {
    await using bench = await createFleetBench();
    await bench.work();
    bench.runtime.behave = () => ({ bootMs: 1000 });
    const { id } = await bench.start(bench.subject);
    await eventually('it starts', () => bench.running().length === 1);
    expect(await bench.ask()).toMatchObject({ status: 404 });
    expect(await bench.read(id)).toMatchObject({ stage: 'starting' });
    await bench.waitFor(id, 'healthy');
  });

  it('that a later one overtakes while it starts gives way at once, and leaves nothing running', async () => {
    await using bench = await createFleetBench({ settings: { LILAC_START_WITHIN: '60s' } });
    await bench.work();
    const first = await bench.deploy(bench.subject);
    const [old] = await bench.settled(1);
    bench.runtime.behave = () => ({ isDeaf: true });
    const second = await bench.start(bench.subject);
    await eventually('it starts', () => bench.running().length === 2);
    await bench.rollBack(bench.subject, first.id);
    expect(await bench.waitFor(second.id, 'cancelled')).toMatchObject({ error: 'Superseded by a newer release.' });
    await bench.waitFor(first.id, 'healthy');
    expect((await bench.settled(1))[0]!.id).toBe(old!.id);
  });

  it('of an environment that sleeps starts one, and lets it fall asleep again', async () => {
    await using bench = await createFleetBench({ settings: { LILAC_IDLE_TO_ZERO_AFTER: '200ms' } });
    await bench.work();
    await bench.deploy(bench.subject);
    await bench.settled(0);
    const second = await bench.deploy(bench.subject);
    await bench.settled(0);
    expect(bench.runtime.started).toHaveLength(2);
    expect(await bench.ask()).toMatchObject({ status: 200, deploymentId: second.id });
  });

  it('of what is live already, while it sleeps, is as good as any other', async () => {
    await using bench = await createFleetBench({ settings: { LILAC_IDLE_TO_ZERO_AFTER: '100ms' } });
    await bench.work();
    const live = await bench.deploy(bench.subject);
    await bench.settled(0);
    bench.runtime.behave = () => ({ bootMs: 400 });
    await bench.rollBack(bench.subject, live.id);
    expect(await bench.waitFor(live.id, 'healthy')).toMatchObject({ error: null });
    expect(await bench.statuses(bench.subject)).toMatchObject({ environment: 'healthy', live: live.id });
    await bench.settled(0);
  });

  it('whose instance ends in the moment of the switch starts another', async () => {
    await using bench = await createFleetBench();
    const { prepare } = bench.deps.fleet;
    bench.deps.fleet.prepare = async (...given) => {
      const candidates = await prepare(...given);
      let looks = 0;
      return {
        ...candidates,
        addresses: () => {
          const found = candidates.addresses();
          if (++looks === 2) {
            bench.edges[1].isLagging = true;
            bench.runtime.crash(found[0]!.id);
          }
          return found;
        },
      };
    };
    await bench.work();
    const { id } = await bench.start(bench.subject);
    await eventually('it is removed', () => bench.runtime.stopped.length === 1);
    bench.edges[1].isLagging = false;
    await bench.waitFor(id, 'healthy');
    expect((await bench.settled(1))[0]!.id).not.toBe(bench.runtime.stopped[0]);
  });

  it('moves from files to instances and back', async () => {
    await using bench = await createFleetBench();
    await bench.work();
    const server = bench.builder.run;
    bench.builder.run = null;
    const files = await bench.deploy(bench.subject);
    bench.builder.run = server;
    await bench.deploy(bench.subject);
    await bench.settled(1);
    await bench.rollBack(bench.subject, files.id);
    await bench.waitFor(files.id, 'healthy');
    await eventually('nothing runs', () => bench.running().length === 0);
    expect(bench.edges[0].routes.get(bench.environmentId)!.target).toMatchObject({ kind: 'static' });
  });
});

describe('a server that cannot be started', () => {
  const cases = [
    {
      what: 'ends at once',
      behaviour: { bootMs: 10_000, exit: { afterMs: 5, exitCode: 3, isOutOfMemory: false } },
      error: 'The new instance ended with exit code 3 before it listened on port 8080.',
    },
    {
      what: 'lacks a program',
      behaviour: { bootMs: 10_000, exit: { afterMs: 5, exitCode: 127, isOutOfMemory: false } },
      error:
        'The new instance ended with exit code 127 before it listened on port 8080. A program that it needs is not ' +
        'installed here.',
    },
    {
      what: 'ends well',
      behaviour: { bootMs: 10_000, exit: { afterMs: 5, exitCode: 0, isOutOfMemory: false } },
      error: 'before it listened on port 8080. Is the start command right? It should not return.',
    },
    {
      what: 'has too little memory',
      behaviour: { bootMs: 10_000, exit: { afterMs: 5, exitCode: null, isOutOfMemory: true } },
      error: 'The new instance ran out of memory (limit 512Mi) before it listened on port 8080.',
    },
    {
      what: 'never listens',
      behaviour: { isDeaf: true },
      error: 'The new instance cannot be reached. It did not listen on port',
    },
    {
      what: 'listens for itself only',
      behaviour: { isLocal: true },
      error: 'The new instance cannot be reached. It listens on 127.0.0.1 only: listen on 0.0.0.0.',
    },
    {
      what: 'is refused by the host',
      behaviour: { refusal: 'There is no memory left.' },
      error: 'There is no memory left.',
    },
  ];

  it.each(cases)('since it $what leaves what is live alone, and tells why', async ({ behaviour, error }) => {
    await using bench = await createFleetBench();
    await bench.work();
    const live = await bench.deploy(bench.subject);
    const [old] = await bench.settled(1);
    bench.runtime.behave = () => ({ ...behaviour, lines: ['one', 'the last words'] });
    const failed = await bench.waitFor((await bench.start(bench.subject)).id, 'failed');
    expect(failed).toMatchObject({ stage: 'starting', error: expect.stringContaining(error) });
    const log = await bench.logOf(failed.id);
    expect(log.at(-1)).toContain(error);
    const said = 'refusal' in behaviour ? [] : ['one', 'the last words'];
    expect(log.slice(-1 - said.length, -1)).toEqual(said);
    expect((await bench.settled(1))[0]!.id).toBe(old!.id);
    expect(await bench.statuses(bench.subject)).toMatchObject({ environment: 'degraded', live: live.id });
    expect(await bench.trouble()).toBeNull();
    expect(await bench.ask()).toMatchObject({ deploymentId: live.id });
  });

  it('since what runs it never answers ends all the same; what is started in spite of that later goes', async () => {
    await using bench = await createFleetBench({ fleetTiming: { placeWithinMs: 300 } });
    await bench.work();
    const live = await bench.deploy(bench.subject);
    const hanging = Promise.withResolvers<void>();
    bench.runtime.behave = () => ({ held: hanging.promise });
    const failed = await bench.waitFor((await bench.start(bench.subject)).id, 'failed');
    const error = 'The engine that runs servers did not answer when an instance was to be started.';
    expect(failed).toMatchObject({ stage: 'starting', error: expect.stringContaining(error) });
    expect((await bench.logOf(failed.id)).at(-1)).toContain(error);
    const [old] = await bench.settled(1);
    hanging.resolve();
    await eventually('it was started late, and ended', () => {
      const late = bench.runtime.started.find((spec) => spec.deploymentId === failed.id);
      return late !== undefined && bench.runtime.stopped.includes(late.id);
    });
    expect(await bench.settled(1)).toMatchObject([{ id: old!.id, deploymentId: live.id }]);
    expect(await bench.ask()).toMatchObject({ deploymentId: live.id });
    bench.runtime.behave = () => ({});
    const next = await bench.deploy(bench.subject);
    expect(await bench.ask()).toMatchObject({ deploymentId: next.id });
  });

  it('and is the first one leaves nothing behind', async () => {
    await using bench = await createFleetBench();
    await bench.work();
    bench.runtime.behave = () => ({ isDeaf: true, exit: { afterMs: 5, exitCode: 1, isOutOfMemory: false } });
    await bench.waitFor((await bench.start(bench.subject)).id, 'failed');
    expect((await findRoute(bench.store.db, bench.environmentId))!.target).toBeNull();
    await eventually('nothing is left', async () => (await bench.runtime.list()).length === 0);
    expect(await bench.statuses(bench.subject)).toMatchObject({ environment: 'failed' });
  });

  it('that answers on a port of its own is reached there, and the port is noted', async () => {
    await using bench = await createFleetBench();
    await bench.work();
    bench.runtime.behave = () => ({ isElsewhere: true });
    const done = await bench.deploy(bench.subject);
    expect(done.run!.isPortKnown).toBe(true);
    expect(done.run!.port).not.toBe(8080);
    expect(await bench.logOf(done.id)).toContain(
      `==> It listens on port ${done.run!.port}, which is used from now on.`,
    );
    expect(await bench.ask()).toMatchObject({ status: 200, deploymentId: done.id });
  });
});
