import { RawNode, type KyselyPlugin } from 'kysely';
import { describe, expect, it } from 'vitest';
import { eventually } from '../../testing/eventually.ts';
import { createFakeClock } from '../../testing/fake-clock.ts';
import { createLogWorld, entry, type LogWorld } from '../../logs/testing/log-world.ts';
import { writeLog } from '../../logs/testing/write-log.ts';
import { searchLogs, type LogSearch } from './search-logs.ts';
import type { SearchBudget } from './walk-back.ts';

const NOON = Date.parse('2026-11-15T12:00:00Z');
const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;
const clock = createFakeClock(new Date(NOON));

function search(world: LogWorld, values: Partial<LogSearch> = {}, budget?: SearchBudget) {
  const { store, environmentId } = world;
  return searchLogs({ store, clock }, { environmentId, owner: 'org', filter: {}, limit: 1000, ...values }, budget);
}

const messagesOf = async (found: ReturnType<typeof search>) => (await found).entries.map(({ message }) => message);

const lines = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => `line ${from + at}`);

/** Many chunks, a line each. */
async function writeLines({ db, environmentId }: LogWorld, count: number): Promise<void> {
  for (let line = 1; line <= count; line++) {
    await writeLog(db, environmentId, [entry({ message: `line ${line}`, atMs: NOON - (count - line) })]);
  }
}

describe('searching a log', () => {
  it('finds the newest lines, the oldest of them first, and says where to go on', async () => {
    await using world = await createLogWorld();
    await writeLines(world, 60);
    const pages: string[][] = [];
    for (let beforeLine: number | null | undefined; beforeLine !== null;) {
      const { entries, beforeLine: next } = await search(world, { limit: 25, beforeLine });
      pages.push(entries.map(({ message }) => message));
      beforeLine = next;
    }
    expect(pages).toEqual([lines(36, 60), lines(11, 35), lines(1, 10)]);
  });

  it('looks through so much and no more, and goes on from there', async () => {
    await using world = await createLogWorld();
    await writeLines(world, 60);
    const budget = { chunks: 20, bytes: 1e6 };
    const filter = { textSearch: 'line 3' };
    const first = await search(world, { filter, limit: 25 }, budget);
    // Pages are of 8 and 32 chunks.
    expect(first.entries.map(({ line }) => line)).toEqual([30, 31, 32, 33, 34, 35, 36, 37, 38, 39]);
    expect(first.beforeLine).toBe(21);
    const second = await search(world, { filter, limit: 25, beforeLine: first.beforeLine! }, budget);
    expect(second.entries.map(({ line }) => line)).toEqual([3]);
    expect(second.beforeLine).toBe(null);
    const nothing = await search(world, { filter: { textSearch: 'nowhere' } }, { chunks: 1e6, bytes: 1 });
    expect(nothing).toEqual({ entries: [], beforeLine: 53 });
  });

  it('takes times of both ends in, severities as alternatives, and text as it stands in any case', async () => {
    await using world = await createLogWorld();
    const { db, environmentId } = world;
    await writeLog(db, environmentId, [
      entry({ message: 'one 100%', atMs: NOON - 3000, severity: 'ERROR' }),
      entry({ message: 'Two 100_x', atMs: NOON - 2000, severity: 'WARN' }),
      entry({ message: 'THREE (.*)', atMs: NOON - 1000, severity: 'INFO' }),
    ]);
    const between = { startTime: new Date(NOON - 2000), endTime: new Date(NOON - 1000) };
    expect(await messagesOf(search(world, { filter: between }))).toEqual(['Two 100_x', 'THREE (.*)']);
    const severe = { severities: ['ERROR', 'WARN'] as const };
    expect(await messagesOf(search(world, { filter: severe }))).toEqual(['one 100%', 'Two 100_x']);
    expect(await messagesOf(search(world, { filter: { textSearch: 'two' } }))).toEqual(['Two 100_x']);
    expect(await messagesOf(search(world, { filter: { textSearch: '100%' } }))).toEqual(['one 100%']);
    expect(await messagesOf(search(world, { filter: { textSearch: '0_' } }))).toEqual(['Two 100_x']);
    expect(await messagesOf(search(world, { filter: { textSearch: '(.*)' } }))).toEqual(['THREE (.*)']);
    expect(await messagesOf(search(world, { filter: { textSearch: 'one%' } }))).toEqual([]);
    expect(await messagesOf(search(world, { filter: { ...severe, ...between, textSearch: 'x' } }))).toEqual([
      'Two 100_x',
    ]);
  });

  it('finds across days, by the order in which lines were stored', async () => {
    await using world = await createLogWorld();
    const { db, environmentId } = world;
    await writeLog(db, environmentId, [
      entry({ message: 'two days ago', atMs: NOON - 2 * DAY_MS }),
      entry({ message: 'today', atMs: NOON - HOUR_MS }),
      entry({ message: 'late from yesterday', atMs: NOON - DAY_MS }),
    ]);
    expect(await messagesOf(search(world))).toEqual(['two days ago', 'today', 'late from yesterday']);
    const recent = { startTime: new Date(NOON - DAY_MS) };
    expect(await messagesOf(search(world, { filter: recent }))).toEqual(['today', 'late from yesterday']);
    const old = { endTime: new Date(NOON - DAY_MS) };
    expect(await messagesOf(search(world, { filter: old }))).toEqual(['two days ago', 'late from yesterday']);
  });

  it('finds nothing that is older than seven days, though it is still there', async () => {
    await using world = await createLogWorld();
    const { db, environmentId } = world;
    await writeLog(db, environmentId, [
      entry({ message: 'old', atMs: NOON - 7 * DAY_MS - 1 }),
      entry({ message: 'kept', atMs: NOON - 7 * DAY_MS }),
    ]);
    expect(await messagesOf(search(world))).toEqual(['kept']);
    const old = { startTime: new Date(NOON - 30 * DAY_MS) };
    expect(await messagesOf(search(world, { filter: old }))).toEqual(['kept']);
    expect(await messagesOf(search(world, { filter: { endTime: new Date(NOON - 7 * DAY_MS - 1) } }))).toEqual([]);
  });

  it('finds nothing of another environment', async () => {
    await using world = await createLogWorld({ environments: 2 });
    await writeLog(world.db, world.environmentIds[1]!, [entry({ message: 'theirs', atMs: NOON })]);
    expect(await messagesOf(search(world))).toEqual([]);
  });

  it('bears times of any year', async () => {
    await using world = await createLogWorld();
    await writeLines(world, 1);
    const ages = ['0000-01-01T00:00:00Z', '1969-12-31T23:59:59Z', '9999-12-31T23:59:59-12:00'].map(
      (at) => new Date(at),
    );
    for (const time of ages) {
      await expect(search(world, { filter: { startTime: time } })).resolves.toBeDefined();
      await expect(search(world, { filter: { endTime: time } })).resolves.toBeDefined();
    }
  });
});

/** A store whose reads of chunks are counted, and held back until they are let go. */
function holdReads(db: LogWorld['db']) {
  const gate = Promise.withResolvers<void>();
  const questions = new WeakSet<object>();
  let reads = 0;
  const plugin: KyselyPlugin = {
    transformQuery({ node, queryId }) {
      if (RawNode.is(node) && node.sqlFragments.some((text) => text.includes('from log_chunks'))) {
        reads++;
        questions.add(queryId);
      }
      return node;
    },
    async transformResult({ result, queryId }) {
      if (questions.has(queryId)) await gate.promise;
      return result;
    },
  };
  return { store: { db: db.withPlugin(plugin) }, reads: () => reads, letGo: () => gate.resolve() };
}

describe('many searches', () => {
  const nowhere = { filter: { textSearch: 'nowhere' }, limit: 10 };

  it('of one organisation are not waited for by another', async () => {
    await using world = await createLogWorld();
    await writeLines(world, 60);
    const { environmentId } = world;
    const { store, letGo } = holdReads(world.db);
    const done: string[] = [];
    const ask = async (owner: string) => {
      await searchLogs({ store, clock }, { environmentId, owner, ...nowhere });
      done.push(owner);
    };
    const all = Promise.all([...Array.from({ length: 40 }, () => ask('loud')), ask('quiet'), ask('calm')]);
    letGo();
    await all;
    expect(done.indexOf('quiet')).toBeLessThan(20);
    expect(done.indexOf('calm')).toBeLessThan(20);
    expect(done).toHaveLength(42);
  });

  it('of one organisation are not all under way at once', async () => {
    await using world = await createLogWorld();
    await writeLines(world, 1);
    const { environmentId } = world;
    const { store, reads, letGo } = holdReads(world.db);
    const ask = (owner: string) => searchLogs({ store, clock }, { environmentId, owner, ...nowhere });
    const all = Array.from({ length: 10 }, () => ask('loud'));
    await eventually('the first look', () => reads() === 2);
    all.push(ask('quiet'));
    await eventually('another looks too', () => reads() === 3);
    letGo();
    await Promise.all(all);
    expect(reads()).toBe(11);
  });

  it('end when nobody wants to know any more, also those that wait', async () => {
    await using world = await createLogWorld();
    await writeLines(world, 60);
    const { environmentId } = world;
    const { store, reads, letGo } = holdReads(world.db);
    const gone = new AbortController();
    const search = { environmentId, owner: 'loud', signal: gone.signal, ...nowhere };
    const all = Promise.allSettled(Array.from({ length: 10 }, () => searchLogs({ store, clock }, search)));
    await eventually('the first look', () => reads() === 2);
    gone.abort(new Error('gone'));
    letGo();
    const reasons = (await all).map((result) => (result as PromiseRejectedResult).reason as Error);
    expect(reasons.map(({ message }) => message)).toEqual(Array<string>(10).fill('gone'));
    expect(reads()).toBe(2);
    // Their turns were given back.
    await expect(searchLogs({ store, clock }, { environmentId, owner: 'loud', ...nowhere })).resolves.toEqual({
      entries: [],
      beforeLine: null,
    });
  });
});
