import { describe, expect, it } from 'vitest';
import { silentLog } from '../../lib/log.ts';
import { readAllLines } from '../../logs/testing/log-world.ts';
import { eventually } from '../../testing/eventually.ts';
import { endInstances } from './end-instances.ts';
import { scaleNews } from './scale-news.ts';
import { createFleetBench, type FleetBench } from './testing/fleet-bench.ts';
import type { Behaviour } from './testing/stand-in-runtime.ts';

const crashing: Behaviour = { exit: { afterMs: 20, exitCode: 7, isOutOfMemory: false } };

async function deployOne(bench: FleetBench) {
  await bench.work();
  const live = await bench.deploy(bench.subject);
  const [instance] = await bench.settled(1);
  return { live, id: instance!.id };
}

/** What the environment's log has from the platform about instances. */
async function toldOf(bench: FleetBench): Promise<string[]> {
  const entries = await readAllLines(bench.store.db, bench.environmentId);
  return entries
    .filter(({ message }) => !/^(Build|Release|Live)/.test(message))
    .map(({ severity, message, instanceId }) => `${severity} ${message}${instanceId ?? ''}`);
}

const isTold = (bench: FleetBench, what: RegExp) =>
  eventually(`the log tells ${what}`, async () => (await toldOf(bench)).some((line) => what.test(line)));

describe("the environment's log", () => {
  it('tells of an instance that crashed, by its exit code, without its output', async () => {
    await using bench = await createFleetBench();
    const { live, id } = await deployOne(bench);
    bench.runtime.crash(id);
    await isTold(bench, new RegExp(`^ERROR Instance ${id} ended with exit code 1 after \\d+ s\\.$`));
    expect(await toldOf(bench)).toHaveLength(1);
    const entries = await readAllLines(bench.store.db, bench.environmentId);
    expect(entries.at(-1)).toMatchObject({ deploymentId: live.id, instanceId: null });
  });

  it('names want of memory', async () => {
    await using bench = await createFleetBench();
    const { id } = await deployOne(bench);
    bench.runtime.crash(id, { exitCode: null, isOutOfMemory: true });
    await isTold(bench, new RegExp(`^ERROR Instance ${id} ran out of memory \\(limit 512Mi\\) after \\d+ s\\.$`));
    expect(await toldOf(bench)).toHaveLength(1);
  });

  it('tells once that a crash loop begins, and once that it is over', async () => {
    await using bench = await createFleetBench();
    const { id } = await deployOne(bench);
    bench.runtime.behave = () => crashing;
    bench.runtime.crash(id);
    await isTold(bench, /^ERROR Crash loop\. Instances keep ending with exit code 7 soon after their start\./);
    const crashesBefore = bench.runtime.started.length;
    await eventually('it goes on', () => bench.runtime.started.length > crashesBefore + 2);
    bench.runtime.behave = () => ({});
    await isTold(bench, /^INFO Instances stay up again\.$/);
    const told = await toldOf(bench);
    expect(told.filter((line) => line.includes('Crash loop'))).toHaveLength(1);
    expect(told.filter((line) => line.includes('stay up again'))).toHaveLength(1);
  });

  it('does not grow without end, and says where it stops', async () => {
    await using bench = await createFleetBench({
      fleetTiming: { firstBackoffMs: 1, longestBackoffMs: 1, stableMs: 5000 },
    });
    const { id } = await deployOne(bench);
    bench.runtime.behave = () => ({ exit: { afterMs: 1, exitCode: 7, isOutOfMemory: false } });
    bench.runtime.crash(id);
    await isTold(bench, /^WARN What goes wrong with instances is not told for the rest of this hour/);
    expect((await toldOf(bench)).filter((line) => line.startsWith('ERROR'))).toHaveLength(200);
  });

  it('tells of sleep and of waking, and how many there are after a change', async () => {
    await using bench = await createFleetBench({ settings: { LILAC_IDLE_TO_ZERO_AFTER: '150ms' } });
    await bench.work();
    await bench.deploy(bench.subject);
    await bench.settled(0);
    await bench.ask();
    await bench.settled(0);
    await bench.scale(2, 4);
    await bench.settled(2);
    await bench.scale(3, 4);
    await bench.settled(3);
    await isTold(bench, /Scaled/);
    expect(await toldOf(bench)).toEqual([
      'DEBUG Fell asleep: there were no requests for a while.',
      'DEBUG Woke up, with 1 instance.',
      'DEBUG Fell asleep: there were no requests for a while.',
      'DEBUG Woke up, with 2 instances.',
      'INFO Scaled from 2 to 3 instances.',
    ]);
  });

  it('tells that instances stop with the whole platform, and that they start again with it', async () => {
    await using bench = await createFleetBench();
    await bench.scale(2, 2);
    await bench.work();
    const live = await bench.deploy(bench.subject);
    await bench.settled(2);
    await bench.fleet.stop();
    for (const edge of bench.edges) await edge[Symbol.asyncDispose]();
    await bench.store.pool.query('delete from edges');
    await endInstances({ store: bench.store, runtime: bench.runtime, log: silentLog });
    expect(bench.running()).toEqual([]);
    expect((await readAllLines(bench.store.db, bench.environmentId)).at(-1)).toMatchObject({ deploymentId: live.id });
    await bench.keep();
    await isTold(bench, /Started/);
    expect(await toldOf(bench)).toEqual([
      'INFO Stopped with the platform: 2 instances.',
      'INFO Started again, with 2 instances.',
    ]);
    // The next worker finds them: nothing has happened.
    await bench.fleet.stop();
    await bench.keep();
    await bench.fleet.stop();
    expect(await toldOf(bench)).toHaveLength(2);
  });

  it('keeps nothing from stopping when it cannot be written', async () => {
    await using bench = await createFleetBench();
    await deployOne(bench);
    await bench.fleet.stop();
    for (const edge of bench.edges) await edge[Symbol.asyncDispose]();
    await bench.store.pool.query('delete from edges');
    const held = bench.store.newClient();
    await held.connect();
    try {
      await held.query('begin');
      await held.query('lock table log_heads');
      await endInstances({ store: bench.store, runtime: bench.runtime, log: silentLog });
      expect(bench.running()).toEqual([]);
    } finally {
      await held.end();
    }
  });

  it('has what was told last when the worker stops', async () => {
    await using bench = await createFleetBench();
    const { id } = await deployOne(bench);
    bench.runtime.crash(id);
    await eventually('it is replaced', () => bench.running().some((instance) => instance.id !== id));
    await bench.fleet.stop();
    expect(await toldOf(bench)).toHaveLength(1);
  });
});

describe('what is told of a number of instances', () => {
  it.each([
    [null, 3, null],
    [2, 2, null],
    [1, 0, 'DEBUG Fell asleep: there were no requests for a while.'],
    [0, 1, 'DEBUG Woke up, with 1 instance.'],
    [1, 4, 'INFO Scaled from 1 to 4 instances.'],
    [4, 1, 'INFO Scaled from 4 to 1 instance.'],
  ])('from %s to %s', (before, after, expected) => {
    const told = scaleNews(before, after);
    expect(told && `${told.severity} ${told.message}`).toBe(expected);
  });
});
