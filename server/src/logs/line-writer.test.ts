import { describe, expect, it, onTestFinished } from 'vitest';
import { openStore } from '../db/pool.ts';
import { systemClock } from '../lib/clock.ts';
import { silentLog } from '../lib/log.ts';
import { eventually } from '../testing/eventually.ts';
import { createFakeClock } from '../testing/fake-clock.ts';
import type { LogEntry } from './log-entry.ts';
import { LineWriter, type LineWriterOptions } from './line-writer.ts';
import { accessCapsOf } from './rate-cap.ts';
import { createLogWorld, entry } from './testing/log-world.ts';

const deps = { clock: systemClock, log: silentLog, caps: null };

function newWriter(options: Pick<LineWriterOptions, 'db'> & Partial<LineWriterOptions>): LineWriter {
  const writer = new LineWriter({ ...deps, ...options });
  onTestFinished(() => writer.close());
  return writer;
}

async function write(writer: LineWriter, environmentId: string, entries: readonly LogEntry[]): Promise<void> {
  for (const each of entries) writer.add(environmentId, each);
  await writer.flush();
}

describe('lines that come one by one', () => {
  it('are stored together a moment later, each environment in its own order', async () => {
    await using world = await createLogWorld({ environments: 2 });
    const writer = newWriter({ db: world.db, everyMs: 20 });
    const [one, two] = world.environmentIds as [string, string];
    for (let number = 0; number < 100; number++) {
      writer.add(number % 3 === 0 ? two : one, entry({ message: `line ${number}` }));
    }
    await eventually('they are stored', async () => (await world.readAll(two)).length === 34);
    const messagesOf = async (id: string) => (await world.readAll(id)).map(({ message }) => message);
    const all = Array.from({ length: 100 }, (_, number) => `line ${number}`);
    expect(await messagesOf(one)).toEqual(all.filter((_, number) => number % 3 !== 0));
    expect(await messagesOf(two)).toEqual(all.filter((_, number) => number % 3 === 0));
    const { rows } = await world.store.pool.query<{ count: string }>('select count(*) from log_chunks');
    expect(Number(rows[0]!.count)).toBe(2);
  });

  it('are stored when it is closed, and none is taken afterwards', async () => {
    await using world = await createLogWorld();
    const writer = newWriter({ db: world.db, everyMs: 60_000 });
    writer.add(world.environmentId, entry({ message: 'last words' }));
    await writer.close();
    writer.add(world.environmentId, entry({ message: 'too late' }));
    await writer.flush();
    expect((await world.readAll()).map(({ message }) => message)).toEqual(['last words']);
  });

  it('wait so long each, where others should be stored before them, but for the last words', async () => {
    await using world = await createLogWorld({ environments: 2 });
    const clock = createFakeClock();
    const writer = newWriter({ db: world.db, clock, everyMs: 60_000, restMs: 300 });
    const [one, two] = world.environmentIds as [string, string];
    writer.add(one, entry({ message: 'early' }));
    clock.advance(290);
    writer.add(two, entry({ message: 'late' }));
    clock.advance(10);
    await writer.flush();
    expect((await world.readAll(one)).map(({ message }) => message)).toEqual(['early']);
    expect(await world.readAll(two)).toEqual([]);
    await writer.close();
    expect((await world.readAll(two)).map(({ message }) => message)).toEqual(['late']);
  });

  it('of an environment that is gone are nobody’s, and keep nobody else waiting', async () => {
    await using world = await createLogWorld();
    const writer = newWriter({ db: world.db, everyMs: 60_000 });
    writer.add('env_gone', entry({ message: 'to nobody' }));
    writer.add(world.environmentId, entry({ message: 'to somebody' }));
    await writer.flush();
    expect((await world.readAll()).map(({ message }) => message)).toEqual(['to somebody']);
  });
});

describe('more lines than an environment may write', () => {
  const caps = { linesPerSecond: 10, bytesPerDay: 1_000_000 };

  it('are dropped, counted, and told in their place once a second', async () => {
    await using world = await createLogWorld();
    const clock = createFakeClock();
    const writer = newWriter({ db: world.db, clock, caps, everyMs: 60_000 });
    const add = (count: number, word: string) => {
      for (let number = 0; number < count; number++) writer.add(world.environmentId, entry({ message: word }));
    };
    add(250, 'first');
    await writer.flush();
    clock.advance(500);
    add(20, 'second');
    await writer.flush();
    clock.advance(1000);
    add(4, 'third');
    await writer.flush();
    const told = (await world.readAll()).map(({ message, severity }) => `${severity} ${message}`);
    const runs = told.filter((line, at) => line !== told[at - 1]);
    expect(runs).toEqual([
      'INFO first',
      'WARN 150 lines were dropped here: more than 10 lines a second.',
      'INFO second',
      'WARN 15 lines were dropped here: more than 10 lines a second.',
      'INFO third',
    ]);
    expect(told.filter((line) => line.startsWith('INFO'))).toHaveLength(100 + 5 + 4);
    expect(await world.usage()).toMatchObject([{ dropped_lines: '165', lines: '111' }]);
  });

  it('are dropped when the day is used up, by whomever', async () => {
    await using world = await createLogWorld();
    const clock = createFakeClock();
    const daily = { linesPerSecond: 1000, bytesPerDay: 50 };
    const [one, other] = [0, 1].map(() => newWriter({ db: world.db, clock, caps: daily, everyMs: 60_000 }));
    const atMs = clock.now().getTime();
    for (let number = 0; number < 7; number++) {
      one!.add(world.environmentId, entry({ atMs, message: '1234567890' }));
    }
    await one!.flush();
    // It cannot know before it has looked.
    other!.add(world.environmentId, entry({ atMs, message: 'other' }));
    await other!.flush();
    other!.add(world.environmentId, entry({ atMs, message: 'other' }));
    await other!.close();
    const messages = (await world.readAll()).map(({ message }) => message);
    expect(messages.slice(0, 5)).toEqual(Array(5).fill('1234567890'));
    expect(messages[5]).toContain('2 lines were dropped here');
    expect(messages[6]).toBe('other');
    expect(messages[7]).toContain('1 line was dropped here');
  });
});

describe('the bytes of a day', () => {
  it('are remembered however long nothing comes, until the day is over', async () => {
    await using world = await createLogWorld();
    const clock = createFakeClock();
    const dayCaps = { linesPerSecond: 1000, bytesPerDay: 50 };
    const writer = newWriter({ db: world.db, clock, caps: dayCaps, everyMs: 60_000 });
    const text = (message: string) => entry({ atMs: clock.now().getTime(), message });
    await write(writer, world.environmentId, [text('x'.repeat(60))]);
    for (let batch = 0; batch < 3; batch++) {
      clock.advance(20_000);
      await write(writer, world.environmentId, [text('too much')]);
    }
    clock.advance(86_400_000);
    await write(writer, world.environmentId, [text('a new day')]);
    const messages = (await world.readAll()).map(({ message }) => message);
    expect(messages.filter((message) => message.includes('dropped here: today'))).toHaveLength(3);
    expect(messages).not.toContain('too much');
    expect(messages).toContain('a new day');
  });

  it('are used up by lines about requests to one half only', async () => {
    await using world = await createLogWorld();
    const clock = createFakeClock();
    const dayCaps = { linesPerSecond: 1000, bytesPerDay: 2000 };
    const options = { db: world.db, clock, everyMs: 60_000 };
    const access = newWriter({ ...options, caps: accessCapsOf(dayCaps) });
    const other = newWriter({ ...options, caps: dayCaps });
    const lines = (count: number, letter: string) =>
      Array.from({ length: count }, () => entry({ atMs: clock.now().getTime(), message: letter.repeat(100) }));
    await write(access, world.environmentId, lines(30, 'a'));
    await write(other, world.environmentId, lines(30, 'o'));
    const another = newWriter({ ...options, caps: accessCapsOf(dayCaps) });
    await write(another, world.environmentId, lines(1, 'b'));
    await write(another, world.environmentId, lines(5, 'b'));
    const messages = (await world.readAll()).map(({ message }) => message);
    const count = (letter: string) => messages.filter((message) => message.startsWith(letter.repeat(100))).length;
    expect(count('a')).toBe(10);
    // It cannot know before it has looked, and what tells of dropped lines counts too.
    expect(count('o')).toBe(20);
    expect(count('b')).toBe(1);
    expect(messages).toContainEqual(expect.stringMatching(/^20 lines of the access log were dropped here: today's/));
    const { rows } = await world.store.pool.query<{ access: string }>('select access_bytes as access from log_usage');
    expect(Number(rows[0]!.access)).toBeGreaterThanOrEqual(1100);
    expect(Number(rows[0]!.access)).toBeLessThan(1400);
  });
});

describe('without the store', () => {
  it('so many lines wait, and no more; what had no room is counted when it is back', async () => {
    await using world = await createLogWorld();
    const away = openStore({ kind: 'url', url: 'postgresql://lilac@127.0.0.1:1/x' }, { max: 1, applicationName: 'x' });
    onTestFinished(() => away.close());
    let db = away.db;
    const options = {
      ...deps,
      everyMs: 20,
      maxLines: 40,
      get db() {
        return db;
      },
    };
    const writer = new LineWriter(options);
    onTestFinished(() => writer.close());
    for (let number = 0; number < 100; number++) writer.add(world.environmentId, entry({ message: `line ${number}` }));
    await writer.flush();
    db = world.db;
    await eventually('it is back', async () => (await world.readAll()).length > 0);
    await eventually('it is told', async () => (await world.usage())[0]?.dropped_lines === '90');
    expect((await world.readAll()).map(({ message }) => message)).toEqual([
      ...Array.from({ length: 10 }, (_, number) => `line ${number}`),
      '90 lines were dropped here: they came faster than they could be stored.',
    ]);
  });
});
