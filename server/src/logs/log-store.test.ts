import { describe, expect, it } from 'vitest';
import { createLogWorld, entry } from './testing/log-world.ts';
import { encodeEntries } from './log-chunk.ts';
import { appendChunks, deleteLogsOf, readHeads } from './log-store.ts';
import { writeLog } from './testing/write-log.ts';

const NOON = Date.parse('2026-11-15T12:00:00Z');

describe('the log of an environment', () => {
  it('numbers lines from 1 without a gap, whoever writes, and gives them back as they were', async () => {
    await using world = await createLogWorld();
    const { db, environmentId } = world;
    const messages = Array.from({ length: 2500 }, (_, index) => `line ${index + 1}`);
    await writeLog(
      db,
      environmentId,
      messages.map((message) => entry({ message, atMs: NOON })),
    );
    await writeLog(db, environmentId, [entry({ message: 'line 2501', atMs: NOON })]);
    const lines = await world.readAll();
    expect(lines.map(({ line, message }) => [line, message])).toEqual(
      [...messages, 'line 2501'].map((message, index) => [index + 1, message]),
    );
    expect(await readHeads(db, [environmentId, 'env_none'])).toEqual(
      new Map([
        [environmentId, 2501],
        ['env_none', 0],
      ]),
    );
  });

  it('leaves out environments that are gone, names them, and stores the others', async () => {
    await using world = await createLogWorld();
    const chunks = await encodeEntries([entry({ message: 'hello', atMs: NOON })]);
    const batches = [
      { environmentId: 'env_gone', chunks },
      { environmentId: world.environmentId, chunks },
    ];
    const { gone } = await world.db.transaction().execute((tx) => appendChunks(tx, batches));
    expect([...gone]).toEqual(['env_gone']);
    expect((await world.readAll()).map(({ message }) => message)).toEqual(['hello']);
  });

  it('counts what a day brought, what was dropped included', async () => {
    await using world = await createLogWorld();
    const { db, environmentId } = world;
    const chunks = await encodeEntries([
      entry({ message: 'yesterday', atMs: NOON - 24 * 60 * 60 * 1000 }),
      entry({ message: 'grün', atMs: NOON }),
    ]);
    const batches = [
      { environmentId, chunks, droppedLines: 7 },
      { environmentId, chunks: chunks.slice(1), droppedLines: 1 },
    ];
    await db.transaction().execute((tx) => appendChunks(tx, batches));
    await db.transaction().execute((tx) => appendChunks(tx, batches.slice(1)));
    expect(await world.usage()).toEqual([
      { day: '2026-11-14', lines: '1', bytes: '9', dropped_lines: '0' },
      { day: '2026-11-15', lines: '3', bytes: '15', dropped_lines: '9' },
    ]);
  });

  it('lets several append at once to several environments, in whatever order they name them', async () => {
    await using world = await createLogWorld({ environments: 4 });
    const ids = world.environmentIds;
    const append = async (writer: number, round: number) => {
      const chunks = await encodeEntries([entry({ message: `${writer} ${round}`, atMs: NOON })]);
      const order = writer % 2 === 0 ? ids : ids.toReversed();
      await world.db.transaction().execute((tx) =>
        appendChunks(
          tx,
          order.map((environmentId) => ({ environmentId, chunks })),
        ),
      );
    };
    await Promise.all(
      Array.from({ length: 6 }, async (_, writer) => {
        for (let round = 0; round < 20; round++) await append(writer, round);
      }),
    );
    for (const id of ids) {
      const lines = await world.readAll(id);
      expect(lines.map(({ line }) => line)).toEqual(Array.from({ length: 120 }, (_, index) => index + 1));
      expect(new Set(lines.map(({ message }) => message)).size).toBe(120);
    }
  });

  it('is gone when the environment is, whatever was being written meanwhile', async () => {
    await using world = await createLogWorld();
    const { db, environmentId } = world;
    await writeLog(db, environmentId, [entry({ message: 'one', atMs: NOON })]);
    const appended = Promise.withResolvers<void>();
    const mayCommit = Promise.withResolvers<void>();
    const appending = db.transaction().execute(async (tx) => {
      const chunks = await encodeEntries([entry({ message: 'two', atMs: NOON })]);
      await appendChunks(tx, [{ environmentId, chunks }]);
      appended.resolve();
      await mayCommit.promise;
    });
    await appended.promise;
    const deleting = db.transaction().execute((tx) => deleteLogsOf(tx, environmentId));
    await world.someoneWaits();
    mayCommit.resolve();
    await Promise.all([appending, deleting]);
    expect(await world.readAll()).toEqual([]);
    expect(await world.usage()).toEqual([]);
  });
});
