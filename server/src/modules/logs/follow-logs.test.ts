import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../lib/clock.ts';
import type { LogEntry } from '../../logs/log-entry.ts';
import { createLogWorld, entry, type LogWorld } from '../../logs/testing/log-world.ts';
import { writeLog } from '../../logs/testing/write-log.ts';
import { eventually } from '../../testing/eventually.ts';
import { compactLogs } from './compact-logs.ts';
import { openHub } from './testing/follower.ts';

let world: LogWorld;
let nextEnvironment = 0;
let environmentId: string;

beforeAll(async () => {
  world = await createLogWorld({ environments: 20 });
});
afterAll(() => world[Symbol.asyncDispose]());
// One for each test.
beforeEach(() => {
  environmentId = world.environmentIds[nextEnvironment++]!;
});

const write = (...lines: (string | Partial<LogEntry>)[]) =>
  writeLog(
    world.db,
    environmentId,
    lines.map((line) => entry(typeof line === 'string' ? { message: line } : { message: '', ...line })),
  );

const numbered = (count: number, from = 1) => Array.from({ length: count }, (_, index) => `line ${from + index}`);

describe('following a log', () => {
  it('begins with what comes, and says where that is', async () => {
    await write('before');
    const { follow } = openHub(world.db);
    const follower = await follow(environmentId);
    expect(follower.lastId).toBe('1');
    await write('first', 'second');
    await write('third');
    await eventually('all have come', () => follower.messages.length === 3);
    expect(follower).toMatchObject({ messages: ['first', 'second', 'third'], lastId: '4' });
    await follower.stop();
  });

  it('begins with earlier lines when they are wanted, and no more than there are', async () => {
    await write(...numbered(5));
    const { follow } = openHub(world.db);
    const few = await follow(environmentId, { lines: 2 });
    const many = await follow(environmentId, { lines: 1000 });
    await write('line 6');
    await eventually('all have come', () => many.messages.length === 6 && few.messages.length === 3);
    expect(few.messages).toEqual(numbered(3, 4));
    expect(many.messages).toEqual(numbered(6));
    await Promise.all([few.stop(), many.stop()]);
  });

  it('counts only the earlier lines that match, and shows only lines that do', async () => {
    await write({ severity: 'ERROR', message: 'old' }, ...numbered(50), { severity: 'ERROR', message: 'Bad one' });
    await write(...numbered(50), { severity: 'ERROR', message: 'bad two' }, 'bad but well');
    const { follow } = openHub(world.db);
    const filter = { severities: ['ERROR', 'FATAL'] as const, textSearch: 'BAD' };
    const follower = await follow(environmentId, { lines: 2, filter });
    expect(follower.lastId).toBe('51');
    await write('bad', { severity: 'FATAL', message: 'the worst is not bad' }, { severity: 'ERROR', message: 'good' });
    await eventually('all have come', () => follower.messages.length === 3);
    expect(follower.messages).toEqual(['Bad one', 'bad two', 'the worst is not bad']);
    await follower.stop();
  });

  it('shows nobody what is too old to be kept', async () => {
    const atMs = Date.now() - 8 * 24 * 3600 * 1000;
    await write({ atMs, message: 'old' });
    const { follow } = openHub(world.db);
    const follower = await follow(environmentId, { lastEventId: '0' });
    await write('new');
    await eventually('it has come', () => follower.messages.length === 1);
    expect(follower.messages).toEqual(['new']);
    await follower.stop();
  });

  it('goes on after the last line that came, whatever `lines` says', async () => {
    await write(...numbered(10));
    const { follow } = openHub(world.db);
    const follower = await follow(environmentId, { lastEventId: '7', lines: 100 });
    await eventually('all have come', () => follower.messages.length === 3);
    expect(follower.messages).toEqual(numbered(3, 8));
    await follower.stop();
  });

  it.each(['', 'x', '-1', '1.5', '11', '99999999999999999999', '1e1', ' 3', '0x3', '٣'])(
    'begins as for the first time where no line has the number "%s"',
    async (lastEventId) => {
      environmentId = world.environmentIds.at(-1)!;
      const { follow, logHub } = openHub(world.db);
      if ((await logHub.head(environmentId)) === 0) await write(...numbered(10));
      const follower = await follow(environmentId, { lastEventId });
      expect(follower).toMatchObject({ lastId: '10', messages: [] });
      await follower.stop();
    },
  );

  it('tells how far it is while nothing matches, so that nobody has to look through all that again', async () => {
    const { follow } = openHub(world.db);
    const follower = await follow(environmentId, { filter: { textSearch: 'rare' } });
    await eventually('it says how far it is', async () => {
      await write(...numbered(10));
      return Number(follower.lastId) >= 10;
    });
    expect(follower.messages).toEqual([]);
    await follower.stop();
  });

  it('skips lines that are gone', async () => {
    await write(...numbered(10));
    await world.db.deleteFrom('log_chunks').where('environment_id', '=', environmentId).execute();
    const { follow } = openHub(world.db);
    const follower = await follow(environmentId, { lastEventId: '3' });
    await eventually('it waits', async () => {
      await write('more');
      return follower.messages.length > 0;
    });
    expect(follower.messages[0]).toBe('more');
    await follower.stop();
  });

  it('loses nothing and doubles nothing, while lines are written and merged and readers come and go', async () => {
    const total = 1500;
    const seen: string[] = [];
    let lastEventId = '0';
    const writing = (async () => {
      for (let from = 1; from <= total;) {
        const count = Math.min(1 + Math.floor(Math.random() * 30), total - from + 1);
        await write(...numbered(count, from));
        from += count;
      }
    })();
    const over = new AbortController();
    const compacting = (async () => {
      while (!over.signal.aborted) {
        await compactLogs({ store: world, clock: systemClock }, { daysBack: 1 }, new AbortController().signal);
        await delay(5);
      }
    })();
    while (seen.length < total) {
      // A new hub each time: an api that has restarted.
      const { followItems, logHub } = openHub(world.db);
      const stopping = new AbortController();
      let left = 1 + Math.floor(Math.random() * 200);
      for await (const items of followItems(environmentId, { lastEventId, signal: stopping.signal })) {
        for (const item of items) {
          lastEventId = item.id;
          if (item.event) seen.push(item.data.message);
          if (left-- === 0 || seen.length >= total) stopping.abort();
          if (stopping.signal.aborted) break;
        }
      }
      expect(logHub.waiting).toBe(0);
    }
    over.abort();
    await Promise.all([writing, compacting]);
    expect(seen).toEqual(numbered(total));
  });
});
