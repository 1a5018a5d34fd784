import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { defineJob, handleJob } from './job.ts';
import { enqueue, findJob } from './queue-store.ts';
import { eventually } from '../testing/eventually.ts';
import { createQueue, endlessHandler, noteJob, quick, type Note } from './testing/queue.ts';

describe('enqueue', () => {
  it('leaves nothing behind when the transaction is rolled back', async () => {
    await using queue = await createQueue();
    const ran: string[] = [];
    await queue.work([handleJob(noteJob, async ({ text }) => ran.push(text))]);
    const rolledBack = queue.store.db.transaction().execute(async (tx) => {
      await enqueue(tx, { kind: noteJob, payload: { text: 'never' } });
      throw new Error('no');
    });
    await expect(rolledBack).rejects.toThrow('no');
    const id = await queue.add({ payload: { text: 'after' } });
    await queue.waitFor(id, 'done');
    expect(ran).toEqual(['after']);
    expect(await queue.count()).toBe(1);
  });

  it('wakes an idle worker at the commit, not at its next look', async () => {
    await using queue = await createQueue();
    let ran = 0;
    await queue.work([handleJob(noteJob, async () => void ran++)]);
    for (let round = 0; round < 5; round++) await queue.waitFor(await queue.add(), 'done');
    expect(ran).toBe(5);
  });

  it('gives the handler its payload, and keeps what it returns', async () => {
    await using queue = await createQueue();
    await queue.work([handleJob(noteJob, async ({ text }, { attempt }) => ({ text, attempt }))]);
    const id = await queue.add({ payload: { text: 'ü\n"\'\\' } });
    await queue.waitFor(id, 'done');
    expect((await findJob(queue.store.db, id))!.result).toEqual({ text: 'ü\n"\'\\', attempt: 1 });
  });

  it('leaves alone the kinds that a worker has no handler for', async () => {
    await using queue = await createQueue();
    await queue.work([handleJob(noteJob, async () => {})]);
    const foreign = await queue.store.db
      .transaction()
      .execute((tx) => enqueue(tx, { kind: defineJob<Note>('test.other'), payload: { text: '' } }));
    await queue.waitFor(await queue.add(), 'done');
    expect(await findJob(queue.store.db, foreign.id)).toMatchObject({ state: 'queued' });
  });

  it('starts a delayed job when it is due, and those of higher priority first', async () => {
    await using queue = await createQueue();
    const ran: string[] = [];
    const ids = [
      await queue.add({ payload: { text: 'late' }, delayMs: 300 }),
      await queue.add({ payload: { text: 'plain' } }),
      await queue.add({ payload: { text: 'urgent' }, priority: 5 }),
    ];
    await queue.work([handleJob(noteJob, async ({ text }) => ran.push(text))], { concurrency: 1 });
    for (const id of ids) await queue.waitFor(id, 'done');
    expect(ran).toEqual(['urgent', 'plain', 'late']);
  });
});

describe('a key', () => {
  it('lets one job of its kind wait, and another once that one runs', async () => {
    await using queue = await createQueue();
    const first = await queue.add({ key: 'k' });
    expect(await queue.add({ key: 'k' })).toBe(first);
    expect(await queue.add({ key: 'other' })).not.toBe(first);
    const { handler, seen } = endlessHandler();
    await queue.work([handler], { concurrency: 2 });
    await eventually('both run', () => seen.started === 2);
    expect(await queue.add({ key: 'k' })).not.toBe(first);
    expect(await queue.count()).toBe(3);
  });

  it('is the lane as well: what waits does not start beside the one that runs, whatever its kind', async () => {
    await using queue = await createQueue();
    const ran: string[] = [];
    const gate = Promise.withResolvers<void>();
    const otherJob = defineJob<Note>('test.other');
    const handle = async ({ text }: Note) => {
      ran.push(text);
      if (text === 'first') await gate.promise;
    };
    await queue.work([handleJob(noteJob, handle), handleJob(otherJob, handle)], { concurrency: 4 });
    await queue.add({ payload: { text: 'first' }, key: 'k' });
    await eventually('it runs', () => ran.length === 1);
    const waiting = [
      await queue.add({ payload: { text: 'same kind' }, key: 'k' }),
      await queue.add({ kind: otherJob, payload: { text: 'other kind' }, key: 'k' }),
    ];
    const inAnotherLane = await queue.add({ payload: { text: 'beside' }, key: 'k2', lane: 'a lane of its own' });
    await queue.waitFor(inAnotherLane, 'done');
    expect(ran).toEqual(['first', 'beside']);
    gate.resolve();
    for (const id of waiting) await queue.waitFor(id, 'done');
  });

  it('is not the lane when one is given', async () => {
    await using queue = await createQueue();
    const { handler, seen } = endlessHandler();
    await queue.work([handler], { concurrency: 2 });
    await queue.add({ key: 'k', lane: 'one' });
    await eventually('it runs', () => seen.started === 1);
    const second = await queue.add({ key: 'k', lane: 'two' });
    await eventually('both run', () => seen.started === 2);
    expect(await findJob(queue.store.db, second)).toMatchObject({ state: 'running' });
  });

  it('holds the waiting job back until a transaction that relies on it has committed', async () => {
    await using queue = await createQueue();
    await queue.store.pool.query('create table wishes (text text)');
    const seen: number[] = [];
    const id = await queue.add({ key: 'k', delayMs: 60_000 });
    const handler = handleJob(noteJob, async () => {
      seen.push((await queue.store.pool.query('select from wishes')).rowCount!);
    });
    await queue.work([handler], { timing: { pollMs: 5 } });
    await queue.store.db.transaction().execute(async (tx) => {
      expect(await enqueue(tx, { kind: noteJob, payload: { text: '' }, key: 'k' })).toEqual({ id, isNew: false });
      await delay(100);
      await sql`insert into wishes values ('seen?')`.execute(tx);
    });
    await queue.waitFor(id, 'done');
    expect(seen).toEqual([1]);
  });

  it('does not keep a failed job from its next attempt while another of its key waits', async () => {
    await using queue = await createQueue();
    const ran: string[] = [];
    const gate = Promise.withResolvers<void>();
    const handler = handleJob(
      noteJob,
      async ({ text }, { attempt }) => {
        ran.push(`${text} ${attempt}`);
        if (text === 'first' && attempt === 1) {
          await gate.promise;
          throw new Error('again');
        }
      },
      { backoff: quick },
    );
    await queue.work([handler], { concurrency: 1 });
    const first = await queue.add({ payload: { text: 'first' }, key: 'k' });
    await eventually('it runs', () => ran.length === 1);
    const second = await queue.add({ payload: { text: 'second' }, key: 'k' });
    gate.resolve();
    await queue.waitFor(first, 'done');
    await queue.waitFor(second, 'done');
    expect(ran.toSorted()).toEqual(['first 1', 'first 2', 'second 1']);
  });
});

describe('a lane', () => {
  it('runs one job at a time, while other lanes go on beside it', async () => {
    await using queue = await createQueue();
    const busy = new Set<string>();
    let overlaps = 0;
    let most = 0;
    const handler = handleJob(noteJob, async ({ text }) => {
      if (busy.has(text)) overlaps++;
      busy.add(text);
      most = Math.max(most, busy.size);
      await delay(5);
      busy.delete(text);
    });
    await queue.work([handler], { name: 'one' });
    await queue.work([handler], { name: 'two' });
    const ids: string[] = [];
    for (let n = 0; n < 40; n++) ids.push(await queue.add({ payload: { text: `l${n % 4}` }, lane: `l${n % 4}` }));
    for (const id of ids) await queue.waitFor(id, 'done');
    expect(overlaps).toBe(0);
    expect(most).toBeGreaterThan(1);
  });
});
