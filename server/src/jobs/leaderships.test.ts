import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { systemClock, type Clock } from '../lib/clock.ts';
import { silentLog } from '../lib/log.ts';
import { eventually } from '../testing/eventually.ts';
import { createFakeClock } from '../testing/fake-clock.ts';
import { handleJob, takenByLeader } from './job.ts';
import { NotLeading } from './leadership.ts';
import { listLeaderships, moveLeadership } from './leadership-store.ts';
import { createLeaderships, type Fitness } from './leaderships.ts';
import type { Reach } from './may-lead.ts';
import { WORKER_LOCK_CLASS } from './recovery-store.ts';
import { createQueue, NEVER_MS, noteJob, type Queue } from './testing/queue.ts';

/** A worker that may lead, and notes what it gained, lost and ran. */
async function candidate(
  queue: Queue,
  name: string,
  options: { reach?: Reach; leadMs?: number; sureMs?: number; fitness?: () => Fitness; clock?: Clock } = {},
) {
  const { reach = 'free', leadMs = 50, sureMs = NEVER_MS, fitness, clock = systemClock } = options;
  const seen = { gained: [] as string[], lost: [] as string[], runs: [] as string[] };
  const leaderships = createLeaderships({
    worker: name,
    host: name,
    log: silentLog,
    clock,
    reach: { instances: reach, databases: reach },
    sureMs,
    ...(fitness && { fitness }),
    onGain: (lead) => seen.gained.push(lead),
    onLoss: (lead) => seen.lost.push(lead),
  });
  const run = handleJob(noteJob, async ({ text }) => void seen.runs.push(text));
  const handlers = takenByLeader('instances', [run]);
  const worker = await queue.work(handlers, { name, leaderships, timing: { leadMs } });
  return { ...seen, worker, lead: leaderships.of('instances') };
}

/** Sessions of workers. */
const HOLDERS = `
  select pid from pg_locks
  where locktype = 'advisory' and granted and classid = $1::integer::oid
    and database = (select oid from pg_database where datname = current_database())`;
/** Longer than an answer is waited for. */
const LONG_WRITE_MS = 8000;
const STILL_WAITING = `
  select from pg_stat_activity
  where datname = current_database() and wait_event_type = 'Lock' and query like '%update leaderships%'
    and query_start < clock_timestamp() - interval '5 seconds'`;

const termOf = async ({ store }: Queue) =>
  (await listLeaderships(store.db)).find(({ name }) => name === 'instances')!.term;

/** Ends all sessions, as a restart of the store does, or only those of the given workers. With a name, its worker cannot come back until it is let. */
async function cutSessions({ store }: Queue, kept?: string, only?: string[]) {
  const client = store.newClient();
  await client.connect();
  const held = kept && client.query('select pg_advisory_lock($1, hashtext($2))', [WORKER_LOCK_CLASS, kept]);
  await store.pool.query(
    `select pg_terminate_backend(pid, 10000) from pg_stat_activity s
     where datname = current_database() and pid <> pg_backend_pid()
       and pid in (${HOLDERS} and ($2::text[] is null or objid in (select hashtext(n)::oid from unnest($2::text[]) n)))`,
    [WORKER_LOCK_CLASS, only],
  );
  await held;
  return { letBack: () => client.end() };
}

describe('of several workers', () => {
  it('the first leads at once, and only it takes the jobs that need it', async () => {
    await using queue = await createQueue();
    const one = await candidate(queue, 'one');
    expect(one.gained).toEqual(['databases', 'instances']);
    expect(one.lead.isHeld()).toBe(true);
    const two = await candidate(queue, 'two');
    for (const text of ['a', 'b', 'c']) await queue.waitFor(await queue.add({ payload: { text } }), 'done');
    expect(one.runs).toEqual(['a', 'b', 'c']);
    expect(two).toMatchObject({ gained: [], runs: [] });
  });

  it('another leads as soon as the leader ends by itself, and takes what was left', async () => {
    await using queue = await createQueue();
    const one = await candidate(queue, 'one');
    const two = await candidate(queue, 'two');
    await one.worker.stop();
    await queue.waitFor(await queue.add({ payload: { text: 'later' } }), 'done');
    expect(two.runs).toEqual(['later']);
    expect(one.lost).toEqual([]);
  });

  it('a restart of the store changes no leader, and until it is certain again the leader waits', async () => {
    await using queue = await createQueue();
    const one = await candidate(queue, 'one');
    // It looks as it comes back, and not again: however slow the leader is here, it is not given up.
    const two = await candidate(queue, 'two', { leadMs: NEVER_MS });
    const term = await termOf(queue);
    // Looked for from before: it is certain again a moment later.
    const seen = eventually('the leader has seen it', () => !one.lead.isHeld());
    await (await cutSessions(queue)).letBack();
    await seen;
    await one.lead.certain();
    expect(one.lead.isHeld()).toBe(true);
    expect(await termOf(queue)).toBe(term);
    expect([one.lost, two.gained]).toEqual([[], []]);
  });

  it('a leader that the store has not answered for a while acts no more until it does, though nobody ended its session', async () => {
    await using queue = await createQueue();
    const lead = (await candidate(queue, 'one', { sureMs: 300, leadMs: 600 })).lead;
    await eventually('it is not sure', () => !lead.isHeld());
    await lead.certain();
    expect(lead.isHeld()).toBe(true);
  });

  it('a leader whose machine was suspended acts no more until the store has answered, though no time passed for it', async () => {
    await using queue = await createQueue();
    const clock = createFakeClock();
    const { lead } = await candidate(queue, 'one', { clock });
    clock.advance(NEVER_MS - 1);
    expect(lead.isHeld()).toBe(true);
    clock.advance(1);
    expect(lead.isHeld()).toBe(false);
    await lead.certain();
    expect(lead.isHeld()).toBe(true);
    clock.advance(-NEVER_MS);
    expect(lead.isHeld()).toBe(true);
  });

  it('a leader that is cut off is replaced: it acts no more, writes no more, and learns that it must end', async () => {
    await using queue = await createQueue();
    const one = await candidate(queue, 'one');
    const two = await candidate(queue, 'two');
    const { letBack } = await cutSessions(queue, 'one');
    let isCertain = false;
    await eventually('the leader has seen it', () => !one.lead.isHeld());
    void one.lead.certain().then(() => (isCertain = true));
    await eventually('the other leads', () => two.gained.includes('instances'));
    await expect(queue.store.db.transaction().execute((tx) => one.lead.hold(tx))).rejects.toThrow(NotLeading);
    await queue.store.db.transaction().execute((tx) => two.lead.hold(tx));
    await letBack();
    await eventually('it is told', () => one.lost.includes('instances'));
    expect(isCertain).toBe(false);
  });

  it('one that is not fit does not begin to lead, and one that is no more makes way for another', async () => {
    await using queue = await createQueue();
    let fitness: Fitness = 'unsure';
    const one = await candidate(queue, 'one', { fitness: () => fitness });
    expect(one.gained).toEqual([]);
    fitness = 'fit';
    await eventually('then it leads', () => one.gained.includes('instances'));
    const two = await candidate(queue, 'two');
    fitness = 'unsure';
    await queue.waitFor(await queue.add({ payload: { text: 'still' } }), 'done');
    expect(one).toMatchObject({ runs: ['still'], lost: [] });
    fitness = 'unfit';
    await eventually('the other leads', () => two.gained.includes('instances'));
    expect(one.lost).toContain('instances');
    expect(one.lead.isHeld()).toBe(false);
  });

  it('nobody begins to lead while the leader writes', async () => {
    await using queue = await createQueue();
    const one = await candidate(queue, 'one');
    const two = await candidate(queue, 'two');
    let cut: { letBack(): Promise<void> } | undefined;
    await queue.store.db.transaction().execute(async (tx) => {
      await one.lead.hold(tx);
      cut = await cutSessions(queue, 'one');
      await eventually('the other wants to lead', async () => {
        const { rows } = await queue.store.pool.query(
          `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%update leaderships%'`,
        );
        return rows.length > 0;
      });
      expect(two.gained).not.toContain('instances');
    });
    await eventually('then it leads', () => two.gained.includes('instances'));
    await cut!.letBack();
  });

  it('a write that takes long does not cost the next leader its session, and leaves nobody behind who waits', async () => {
    await using queue = await createQueue();
    const one = await candidate(queue, 'one');
    const two = await candidate(queue, 'two');
    const sessionOf = async (name: string) =>
      (await queue.store.pool.query(`${HOLDERS} and objid = hashtext($2)::oid`, [WORKER_LOCK_CLASS, name])).rows;
    const before = await sessionOf('two');
    let cut: { letBack(): Promise<void> } | undefined;
    await queue.store.db.transaction().execute(async (tx) => {
      await one.lead.hold(tx);
      cut = await cutSessions(queue, 'one', ['one']);
      await delay(LONG_WRITE_MS);
      expect((await queue.store.pool.query(STILL_WAITING)).rowCount).toBe(0);
      expect(await sessionOf('two')).toEqual(before);
      expect(two.gained).not.toContain('instances');
    });
    await eventually('then it leads', () => two.gained.includes('instances'));
    await cut!.letBack();
  });

  it('what a lost leader was at is taken over by the next at once', async () => {
    await using queue = await createQueue();
    await candidate(queue, 'one');
    const two = await candidate(queue, 'two');
    const id = await queue.add({ delayMs: 3_600_000 });
    await queue.store.pool.query(
      `update jobs set state = 'running', worker = 'one', claim = 1, attempt = 1,
         lease_until = now() + interval '1 hour', run_at = now() where id = $1`,
      [id],
    );
    const { letBack } = await cutSessions(queue, 'one');
    await queue.waitFor(id, 'done');
    expect(two.runs).toHaveLength(1);
    await letBack();
  });
});

describe('what lives on one host', () => {
  it('is led by no other when its leader is gone, until it is moved there', async () => {
    await using queue = await createQueue();
    const one = await candidate(queue, 'one', { reach: 'bound' });
    const two = await candidate(queue, 'two', { reach: 'bound' });
    const { letBack } = await cutSessions(queue, 'one');
    await eventually('the leader has seen it', () => !one.lead.isHeld());
    // Nobody else could lead, so it need not wait for the store.
    await one.lead.certain();
    await letBack();
    await eventually('the leader is back', () => one.lead.isHeld());
    expect(two.gained).toEqual([]);
    expect(await moveLeadership(queue.store.db, 'instances', 'two')).toBe(true);
    await eventually('the leader is told', () => one.lost.includes('instances'));
    // As its process would.
    await one.worker.stop({ finishMs: 0 });
    await eventually('the other leads', () => two.gained.includes('instances'));
    expect(two.gained).not.toContain('databases');
  });
});
