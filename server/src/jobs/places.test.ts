import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { eventually } from '../testing/eventually.ts';
import { defineJob, handleJob, type JobLimits } from './job.ts';
import { enqueue, findJob } from './queue-store.ts';
import { createQueue, noteJob, type Note, type Queue } from './testing/queue.ts';

const buildJob = defineJob<Note>('test.build', { maxAttempts: 3, isGrouped: true });

/** Builds that go on until they are let go, in the order they began. */
function gatedBuilds(limits: JobLimits) {
  const begun: string[] = [];
  const gates = new Map<string, () => void>();
  const handler = handleJob(
    buildJob,
    ({ text }) => {
      begun.push(text);
      return new Promise<void>((resolve) => gates.set(text, resolve));
    },
    { limits },
  );
  return { begun, handler, release: (text: string) => gates.get(text)!() };
}

const addBuild = (queue: Queue, group: string, text: string, more: { lane?: string; priority?: number } = {}) =>
  queue.store.db
    .transaction()
    .execute(async (tx) => (await enqueue(tx, { kind: buildJob, payload: { text }, group, ...more })).id);

describe('a kind with limits', () => {
  it('runs as many as it may, and another as soon as one has ended', async () => {
    await using queue = await createQueue();
    const { begun, handler, release } = gatedBuilds({ perWorker: 2, perGroup: 2 });
    await queue.work([handler]);
    for (const text of ['1', '2', '3', '4']) await addBuild(queue, 'a', text);
    await eventually('two run', () => begun.length === 2);
    await queue.store.pool.query('select pg_sleep(0.05)');
    expect(begun).toEqual(['1', '2']);
    release('1');
    await eventually('a third runs', () => begun.length === 3);
    for (const text of ['2', '3']) release(text);
    await eventually('the last runs', () => begun.length === 4);
    release('4');
  });

  it('takes no place of other kinds, nor they of it', async () => {
    await using queue = await createQueue();
    const builds = gatedBuilds({ perWorker: 3, perGroup: 3 });
    const gate = Promise.withResolvers<void>();
    let notes = 0;
    const note = handleJob(noteJob, async () => {
      notes++;
      await gate.promise;
    });
    await queue.work([builds.handler, note], { concurrency: 1 });
    for (const text of ['1', '2', '3']) await addBuild(queue, 'a', text);
    await eventually('all builds run', () => builds.begun.length === 3);
    await queue.add();
    await eventually('the other kind runs', () => notes === 1);
    expect(builds.begun).toHaveLength(3);
    builds.release('1');
    await addBuild(queue, 'a', '4');
    await eventually('a build runs while the other kind has its only place', () => builds.begun.includes('4'));
    gate.resolve();
    for (const text of ['2', '3', '4']) builds.release(text);
  });

  it('runs no more of one group than it may, and gives the place to another group', async () => {
    await using queue = await createQueue();
    const { begun, handler, release } = gatedBuilds({ perWorker: 4, perGroup: 1 });
    for (const text of ['a1', 'a2', 'a3']) await addBuild(queue, 'a', text);
    await addBuild(queue, 'b', 'b1');
    await queue.work([handler]);
    await eventually('one of each runs', () => begun.length === 2);
    expect(begun.toSorted()).toEqual(['a1', 'b1']);
    for (const text of ['a1', 'b1', 'a2']) {
      release(text);
      await eventually('the next runs', () => begun.length >= 3 || text !== 'a1');
    }
    await eventually('all ran, one after another', () => begun.length === 4);
    expect(begun.slice(2)).toEqual(['a2', 'a3']);
    release('a3');
  });

  it('lets the first job of a group go before the hundred of another that came earlier', async () => {
    await using queue = await createQueue();
    const { begun, handler, release } = gatedBuilds({ perWorker: 2, perGroup: 2 });
    for (let n = 0; n < 100; n++) await addBuild(queue, 'busy', `busy ${n}`);
    await queue.work([handler]);
    await eventually('both places are taken', () => begun.length === 2);
    await addBuild(queue, 'small', 'small', { priority: -5 });
    release('busy 0');
    await eventually('the next runs', () => begun.length === 3);
    expect(begun[2]).toBe('small');
    release('busy 1');
    await eventually('the busy group goes on', () => begun.length === 4);
    expect(begun[3]).toBe('busy 2');
    for (const text of begun.slice(2)) release(text);
  });

  it('within a group the more urgent goes first, then the older, but never two of one lane', async () => {
    await using queue = await createQueue();
    const { begun, handler, release } = gatedBuilds({ perWorker: 2, perGroup: 2 });
    await addBuild(queue, 'a', 'first', { lane: 'x' });
    await addBuild(queue, 'a', 'same lane', { lane: 'x' });
    await addBuild(queue, 'a', 'later', { lane: 'y' });
    await addBuild(queue, 'a', 'urgent', { lane: 'z', priority: 1 });
    await queue.work([handler]);
    await eventually('two run', () => begun.length === 2);
    expect(begun).toEqual(['urgent', 'first']);
    release('urgent');
    await eventually('a third runs', () => begun.length === 3);
    expect(begun[2]).toBe('later');
    release('later');
    release('first');
    await eventually('the last runs', () => begun.length === 4);
    release('same lane');
  });
});

describe('several workers at the same grouped queue', () => {
  it('run every job once, keep lanes and limits, and leave nothing waiting', { timeout: 60_000 }, async () => {
    await using queue = await createQueue();
    const running = new Map<string, number>();
    let [overlaps, overLimit, runs] = [0, 0, 0];
    const change = (key: string, by: number) => {
      running.set(key, (running.get(key) ?? 0) + by);
      return running.get(key)!;
    };
    for (const name of ['one', 'two', 'three']) {
      const handler = handleJob(
        buildJob,
        async ({ text }) => {
          const [group, lane] = text.split(' ') as [string, string];
          if (change(lane, 1) > 1) overlaps++;
          if (change(`${name} ${group}`, 1) > 2) overLimit++;
          await delay(Math.random() * 4);
          change(lane, -1);
          change(`${name} ${group}`, -1);
          runs++;
        },
        { limits: { perWorker: 3, perGroup: 2 } },
      );
      await queue.work([handler], { name });
    }
    const ids: string[] = [];
    for (let n = 0; n < 150; n++) {
      const [group, lane] = [`g${n % 4}`, `l${n % 11}`];
      ids.push(await addBuild(queue, group, `${group} ${lane}`, { lane }));
    }
    for (const id of ids) await queue.waitFor(id, 'done');
    expect({ overlaps, overLimit, runs }).toEqual({ overlaps: 0, overLimit: 0, runs: 150 });
  });
});

describe('a grouped kind', () => {
  it('is not enqueued without a group, nor another kind with one, and only it can have limits', async () => {
    await using queue = await createQueue();
    const payload = { text: '' };
    const add = (job: Parameters<typeof enqueue<Note>>[1]) =>
      queue.store.db.transaction().execute((tx) => enqueue(tx, job));
    await expect(add({ kind: buildJob, payload })).rejects.toThrow('group');
    await expect(add({ kind: noteJob, payload, group: 'g' })).rejects.toThrow('group');
    expect(() => handleJob(noteJob, async () => {}, { limits: { perWorker: 1, perGroup: 1 } })).toThrow('no groups');
    expect(await queue.count()).toBe(0);
  });

  it('is tried again in its turn when it fails', async () => {
    await using queue = await createQueue();
    const handler = handleJob(
      buildJob,
      async (_payload, { attempt }) => {
        if (attempt < 3) throw new Error('again');
      },
      { limits: { perWorker: 1, perGroup: 1 }, backoff: { firstMs: 20, maxMs: 20 } },
    );
    await queue.work([handler]);
    const id = await addBuild(queue, 'a', 'x');
    await queue.waitFor(id, 'done');
    expect(await findJob(queue.store.db, id)).toMatchObject({ attempt: 3 });
  });
});
