import { describe, expect, it } from 'vitest';
import { eventually } from '../../testing/eventually.ts';
import type { Behaviour } from './testing/stand-in-runtime.ts';
import { createFleetBench, type FleetBench } from './testing/fleet-bench.ts';

const crashing: Behaviour = { exit: { afterMs: 30, exitCode: 7, isOutOfMemory: false }, lines: ['Cannot connect'] };
const targetOf = ({ edges, environmentId }: FleetBench) => edges[0].routes.get(environmentId)!.target;

async function deployOne(bench: FleetBench) {
  await bench.work();
  const live = await bench.deploy(bench.subject);
  const [instance] = await bench.settled(1);
  return { live, id: instance!.id };
}

function hasLine(bench: FleetBench, deploymentId: string, text: string): Promise<void> {
  return eventually(`the log says ${text}`, async () =>
    (await bench.logOf(deploymentId)).some((line) => line.includes(text)),
  );
}

describe('an instance that ends by itself', () => {
  it('is taken out and replaced, and what is left of it removed', async () => {
    await using bench = await createFleetBench();
    const { live, id } = await deployOne(bench);
    bench.runtime.crash(id);
    const [next] = await bench.settled(1);
    expect(next!.id).not.toBe(id);
    await eventually('it is removed', () => bench.runtime.stopped.includes(id));
    expect(await bench.ask()).toMatchObject({ status: 200, id: next!.id });
    expect(await bench.trouble()).toBeNull();
    await eventually('the log tells', async () =>
      (await bench.logOf(live.id)).some((line) => line.includes(`Instance ${id} ended with exit code 1`)),
    );
  });

  it('is noticed though nobody told', async () => {
    await using bench = await createFleetBench();
    const { id } = await deployOne(bench);
    await bench.runtime.stop(id, { graceMs: 0 });
    const [next] = await bench.settled(1);
    expect(next!.id).not.toBe(id);
  });

  it('again and again makes the environment degraded, with a reason, and answers at once, until one stays up', async () => {
    await using bench = await createFleetBench();
    const { live, id } = await deployOne(bench);
    bench.runtime.behave = () => crashing;
    bench.runtime.crash(id);
    await eventually('it is degraded', async () => (await bench.statuses(bench.subject)).environment === 'degraded');
    expect(await bench.trouble()).toBe(
      'Instances keep ending with exit code 7 soon after their start. See the log of the deployment.',
    );
    await eventually('edges answer at once', () => {
      const target = targetOf(bench);
      return target?.kind === 'instances' && target.outage === 'crashing' && target.instances.length === 0;
    });
    await hasLine(bench, live.id, 'Cannot connect');
    bench.runtime.behave = () => ({});
    await eventually('it is healthy', async () => (await bench.statuses(bench.subject)).environment === 'healthy');
    expect(await bench.trouble()).toBeNull();
    expect(targetOf(bench)).toMatchObject({ outage: null });
    await bench.settled(1);
    await hasLine(bench, live.id, 'Instances stay up again.');
  });

  it('for want of memory is called so at its first occurrence', async () => {
    await using bench = await createFleetBench();
    const { live, id } = await deployOne(bench);
    bench.runtime.crash(id, { exitCode: null, isOutOfMemory: true });
    await eventually(
      'it is told',
      async () => (await bench.trouble())?.includes('ran out of memory (limit 512Mi)') ?? false,
    );
    await hasLine(bench, live.id, 'ran out of memory (limit 512Mi)');
    await eventually('it recovers', async () => (await bench.statuses(bench.subject)).environment === 'healthy');
    expect(await bench.trouble()).toBeNull();
  });

  it('does not fill the log, however often', async () => {
    await using bench = await createFleetBench({ fleetTiming: { firstBackoffMs: 1, longestBackoffMs: 1 } });
    const { live, id } = await deployOne(bench);
    const lines = Array.from({ length: 50 }, (_, n) => `line ${n}`);
    bench.runtime.behave = () => ({ lines, exit: { afterMs: 0, exitCode: 1, isOutOfMemory: false } });
    bench.runtime.crash(id);
    await eventually('it crashed often', () => bench.runtime.started.length > 40);
    expect((await bench.logOf(live.id)).length).toBeLessThan(230);
  });

  it('again and again is no trouble any more when the others, which stay up, are enough', async () => {
    await using bench = await createFleetBench();
    await bench.setEnvironment({ min_instances: 2 });
    await bench.work();
    await bench.deploy(bench.subject);
    const [one, other] = await bench.settled(2);
    bench.runtime.behave = () => crashing;
    bench.runtime.crash(other!.id);
    await eventually('there is trouble', async () => (await bench.trouble()) !== null);
    await bench.scale(1, 1);
    await eventually('it is healthy', async () => (await bench.statuses(bench.subject)).environment === 'healthy');
    expect((await bench.settled(1))[0]!.id).toBe(one!.id);
    expect(await bench.trouble()).toBeNull();
  });

  it('and was what a release replaces is forgotten with it', async () => {
    await using bench = await createFleetBench();
    const { id } = await deployOne(bench);
    bench.runtime.behave = () => crashing;
    bench.runtime.crash(id);
    await eventually('there is trouble', async () => (await bench.trouble()) !== null);
    bench.runtime.behave = () => ({});
    const next = await bench.deploy(bench.subject);
    expect(await bench.statuses(bench.subject)).toMatchObject({ environment: 'healthy', live: next.id });
    expect(await bench.trouble()).toBeNull();
    expect(await bench.settled(1)).toHaveLength(1);
  });

  it('and cannot be started again says why', async () => {
    await using bench = await createFleetBench();
    const { id } = await deployOne(bench);
    bench.runtime.behave = () => ({ refusal: 'There is no memory left on this host.' });
    bench.runtime.crash(id);
    await eventually('it is told', async () => (await bench.trouble()) === 'There is no memory left on this host.');
    bench.runtime.behave = () => ({});
    expect(await bench.settled(1)).toHaveLength(1);
  });
});

describe('an instance that is lost with its machine', () => {
  const lost = { exitCode: null, isOutOfMemory: false, isMachineLost: true } as const;
  // Whoever waited after a crash would wait for ever here.
  const slow = { firstBackoffMs: 600_000, longestBackoffMs: 600_000, stableMs: 600_000 };

  it('again and again is replaced at once, nothing is wrong with the environment, and the log tells in words of its own', async () => {
    await using bench = await createFleetBench({ fleetTiming: slow });
    const { live, id: first } = await deployOne(bench);
    for (let round = 0, id = first; round < 4; round++) {
      bench.runtime.crash(id, lost);
      await hasLine(bench, live.id, `==> Instance ${id} was lost with its machine. Another one takes its place.`);
      const [next] = await bench.settled(1);
      expect(next!.id).not.toBe(id);
      // Whoever waits for it at an edge is not to wait any longer.
      expect(targetOf(bench)).toMatchObject({ lost: expect.arrayContaining([id]) });
      id = next!.id;
    }
    expect(await bench.trouble()).toBeNull();
    expect((await bench.statuses(bench.subject)).environment).toBe('healthy');
  });

  it('is replaced at once, though it had been found not to answer before that was known', async () => {
    await using bench = await createFleetBench({ fleetTiming: { ...slow, sickMs: 600_000 } });
    const { live, id } = await deployOne(bench);
    await bench.runtime.deafen(id, true);
    await eventually('it is found', async () => (await bench.trouble()) !== null);
    expect(bench.runtime.started).toHaveLength(1);
    bench.runtime.crash(id, lost);
    expect((await bench.settled(1))[0]!.id).not.toBe(id);
    await hasLine(bench, live.id, 'was lost with its machine');
    await eventually('nothing is wrong any more', async () => (await bench.trouble()) === null);
  });
});

describe('an instance that does not answer', () => {
  it('takes no requests until it does', async () => {
    await using bench = await createFleetBench({ fleetTiming: { sickMs: 600_000 } });
    const { id } = await deployOne(bench);
    await bench.runtime.deafen(id, true);
    const isListed = () => {
      const target = targetOf(bench);
      return target?.kind === 'instances' && target.instances.some((one) => one.id === id);
    };
    await eventually('it is out, and another is in its place', () => !isListed() && bench.running().length === 2);
    await bench.runtime.deafen(id, false);
    expect(await bench.settled(1)).toHaveLength(1);
  });

  it('for long is stopped', async () => {
    await using bench = await createFleetBench();
    const { id } = await deployOne(bench);
    await bench.runtime.deafen(id, true);
    await eventually('it is stopped', () => bench.runtime.stopped.includes(id));
    expect(await bench.settled(1)).toHaveLength(1);
  });

  it('to requests that it takes is replaced and stopped, though it can be connected to, and the log tells', async () => {
    await using bench = await createFleetBench();
    let hangs: string | null = null;
    bench.runtime.behave = (spec) => ({
      lines: ['waiting for a lock'],
      respond: (_request, response) => void (hangs === spec.id || response.end('{}')),
    });
    const { live, id } = await deployOne(bench);
    hangs = id;
    bench.edges[1].silent[id] = 1;
    await eventually('it is stopped', () => bench.runtime.stopped.includes(id));
    expect((await bench.settled(1))[0]!.id).not.toBe(id);
    await hasLine(bench, live.id, 'it does not answer requests), and is replaced');
    expect(await bench.logOf(live.id)).toContain('waiting for a lock');
    expect(await bench.statuses(bench.subject)).toMatchObject({ environment: 'healthy' });
  });

  it('to some who wait, but does when it is asked, is slow and stays', async () => {
    await using bench = await createFleetBench();
    let asked = 0;
    bench.runtime.behave = () => ({ respond: (_request, response) => void (asked++, response.end('{}')) });
    const { id } = await deployOne(bench);
    const before = asked;
    bench.edges[1].silent[id] = 5;
    await eventually('it is asked', () => asked > before);
    const looked = asked;
    bench.edges[1].silent[id] = 6;
    await eventually('it is asked again, now that more do not trust it', () => asked > looked);
    expect((await bench.settled(1))[0]!.id).toBe(id);
    expect(bench.runtime.stopped).toEqual([]);
  });

  it('like all others: one more than the most is started, requests still go to somebody, and the trouble is told', async () => {
    await using bench = await createFleetBench({ fleetTiming: { sickMs: 200, answerWithinMs: 50, stableMs: 600_000 } });
    let hangs = false;
    bench.runtime.behave = () => ({ respond: (_request, response) => void (hangs || response.end('{}')) });
    await bench.setEnvironment({ min_instances: 2, max_instances: 2 });
    await bench.work();
    await bench.deploy(bench.subject);
    await bench.settled(2);
    hangs = true;
    const [counts, lists]: [number[], number[]] = [[], []];
    await eventually('some were tried', () => {
      for (const { id } of bench.running()) bench.edges[1].silent[id] = 1;
      counts.push(bench.running().length);
      const target = targetOf(bench);
      lists.push(target?.kind === 'instances' ? target.instances.length : 0);
      return bench.runtime.stopped.length >= 3;
    });
    expect(Math.max(...counts)).toBe(3);
    expect(Math.min(...lists)).toBeGreaterThan(0);
    await eventually('it is told', async () => (await bench.trouble()) !== null);
    expect((await bench.statuses(bench.subject)).environment).toBe('degraded');
    hangs = false;
    for (const id of Object.keys(bench.edges[1].silent)) delete bench.edges[1].silent[id];
    await bench.settled(2);
    expect(await bench.ask()).toMatchObject({ status: 200 });
  });

  it('soon after its start is replaced later each time, as if it had ended', async () => {
    const slow = { firstBackoffMs: 600_000, longestBackoffMs: 600_000, stableMs: 600_000 };
    await using bench = await createFleetBench({ fleetTiming: { ...slow, answerWithinMs: 50, sickMs: 100 } });
    const { id } = await deployOne(bench);
    await bench.runtime.deafen(id, true);
    await eventually('it is told', async () => (await bench.trouble()) !== null);
    expect(await bench.trouble()).toContain('it does not answer on its port');
    expect(bench.runtime.started).toHaveLength(1);
    expect(bench.runtime.stopped).toEqual([]);
    await bench.runtime.deafen(id, false);
    await eventually('it is healthy', async () => (await bench.statuses(bench.subject)).environment === 'healthy');
    expect((await bench.settled(1))[0]!.id).toBe(id);
  });

  it('and then answers badly, in turn, is replaced all the same', async () => {
    // No other is started in its place, for which it would have to make way.
    const slow = { firstBackoffMs: 600_000, longestBackoffMs: 600_000, stableMs: 600_000 };
    await using bench = await createFleetBench({ fleetTiming: { ...slow, sickMs: 1000 } });
    const place = { table: 'environments', column: 'variables', row: bench.environmentId } as const;
    await bench.setEnvironment({
      variables: bench.keyring.seal(JSON.stringify({ LILAC_HEALTH_PATH: '/health' }), place),
      min_instances: 2,
    });
    let ill: string | null = null;
    bench.runtime.behave = ({ id }) => ({
      respond: (_request, response) => void response.writeHead(id === ill ? 503 : 200).end('{}'),
    });
    await bench.work();
    await bench.deploy(bench.subject);
    const [one] = await bench.settled(2);
    ill = one!.id;
    let isDeaf = false;
    const timer = setInterval(() => {
      isDeaf = !isDeaf;
      if (bench.running().some(({ id }) => id === one!.id)) void bench.runtime.deafen(one!.id, isDeaf);
    }, 150);
    const { stopped } = bench.runtime;
    await eventually('one is stopped', () => stopped.length > 0).finally(() => clearInterval(timer));
    expect(stopped).toEqual([one!.id]);
  });
});
