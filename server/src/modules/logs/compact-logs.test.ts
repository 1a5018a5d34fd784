import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import type { Db } from '../../db/pool.ts';
import { createFakeClock } from '../../testing/fake-clock.ts';
import { decodeChunk, encodeEntries, type EncodedChunk } from '../../logs/log-chunk.ts';
import { appendChunks, deleteLogsOf, readChunks } from '../../logs/log-store.ts';
import { createLogWorld, entry, type LogWorld } from '../../logs/testing/log-world.ts';
import { writeLog } from '../../logs/testing/write-log.ts';
import { compactLogs } from './compact-logs.ts';
import { listChunkSizes, listScatteredDays, replaceChunks } from './compaction-store.ts';
import { searchLogs } from './search-logs.ts';

const NOON = Date.parse('2026-11-15T12:00:00Z');
const YESTERDAY = NOON - 24 * 60 * 60 * 1000;
const clock = createFakeClock(new Date(NOON));
const never = new AbortController().signal;

const compact = ({ store }: LogWorld) => compactLogs({ store, clock }, { daysBack: 7 }, never);

/** A chunk for each line, as when they come one by one. */
async function writeOneByOne(db: Db, environmentId: string, { from, to, atMs = NOON }: Lines): Promise<void> {
  const chunks: EncodedChunk[] = [];
  for (let number = from; number <= to; number++) {
    chunks.push(...(await encodeEntries([entry({ message: `line ${number}`, atMs, instanceId: `ins_${number}` })])));
  }
  await db.transaction().execute((tx) => appendChunks(tx, [{ environmentId, chunks }]));
}

interface Lines {
  from: number;
  to: number;
  atMs?: number;
}

async function countChunks({ db }: LogWorld): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from log_chunks`.execute(db);
  return rows[0]!.count;
}

describe('compaction', () => {
  it('makes few chunks of many; every line is as it was, and a second run finds nothing to do', async () => {
    await using world = await createLogWorld();
    const { db, environmentId } = world;
    await writeOneByOne(db, environmentId, { from: 1, to: 1100, atMs: YESTERDAY });
    await writeOneByOne(db, environmentId, { from: 1101, to: 1150 });
    const before = await world.readAll();
    await compact(world);
    expect(await countChunks(world)).toBe(3);
    expect(await world.readAll()).toEqual(before);
    expect(await listScatteredDays(db, { since: '2026-11-01', today: '2026-11-15' })).toEqual([]);
  });

  it('leaves the last few of today for later', async () => {
    await using world = await createLogWorld();
    await writeOneByOne(world.db, world.environmentId, { from: 1, to: 20 });
    await compact(world);
    expect(await countChunks(world)).toBe(20);
  });

  it('does not mix days, though their lines alternate', async () => {
    await using world = await createLogWorld();
    const { db, environmentId } = world;
    for (let number = 1; number <= 40; number += 10) {
      await writeOneByOne(db, environmentId, { from: number, to: number + 4, atMs: YESTERDAY });
      await writeOneByOne(db, environmentId, { from: number + 5, to: number + 9 });
    }
    const before = await world.readAll();
    await compact(world);
    expect(await world.readAll()).toEqual(before);
    expect(await countChunks(world)).toBe(4 + 20);
  });

  it('does nothing with what is no longer there as it was listed', async () => {
    await using world = await createLogWorld();
    const { db, environmentId } = world;
    await writeOneByOne(db, environmentId, { from: 1, to: 3 });
    const merge = { firstLine: 1, lastLine: 4, chunkCount: 4 };
    const chunks = await encodeEntries([entry({ message: 'wrong', atMs: NOON })]);
    await db.transaction().execute((tx) => replaceChunks(tx, { environmentId, day: '2026-11-15' }, { merge, chunks }));
    expect((await world.readAll()).map(({ message }) => message)).toEqual(['line 1', 'line 2', 'line 3']);
  });

  it('leaves nothing behind of a log that is deleted meanwhile', async () => {
    await using world = await createLogWorld();
    const { db, environmentId } = world;
    await writeOneByOne(db, environmentId, { from: 1, to: 3 });
    const replaced = Promise.withResolvers<void>();
    const mayCommit = Promise.withResolvers<void>();
    const compacting = db.transaction().execute(async (tx) => {
      const chunks = await encodeEntries([1, 2, 3].map((line) => entry({ message: `line ${line}`, atMs: NOON })));
      const merge = { firstLine: 1, lastLine: 3, chunkCount: 3 };
      await replaceChunks(tx, { environmentId, day: '2026-11-15' }, { merge, chunks });
      replaced.resolve();
      await mayCommit.promise;
    });
    await replaced.promise;
    const deleting = db.transaction().execute((tx) => deleteLogsOf(tx, environmentId));
    await world.someoneWaits();
    mayCommit.resolve();
    await Promise.all([compacting, deleting]);
    expect(await countChunks(world)).toBe(0);
  });

  it('keeps nobody who appends waiting', async () => {
    await using world = await createLogWorld();
    const { db, environmentId } = world;
    await writeOneByOne(db, environmentId, { from: 1, to: 2 });
    await db.transaction().execute(async (tx) => {
      const chunks = await encodeEntries([1, 2].map((line) => entry({ message: `line ${line}`, atMs: NOON })));
      const merge = { firstLine: 1, lastLine: 2, chunkCount: 2 };
      await replaceChunks(tx, { environmentId, day: '2026-11-15' }, { merge, chunks });
      await writeLog(db, environmentId, [entry({ message: 'line 3', atMs: NOON })]);
    });
    expect((await world.readAll()).map(({ message }) => message)).toEqual(['line 1', 'line 2', 'line 3']);
  });

  it('is not seen by those who read and append all the while: no line twice, none missing', async () => {
    await using world = await createLogWorld();
    const { store, db, environmentId } = world;
    const total = 3000;
    const over = new AbortController();
    const writing = (async () => {
      for (let from = 1; from <= total; from += 50) {
        await writeOneByOne(db, environmentId, { from, to: from + 49 });
      }
      over.abort();
    })();
    const compacting = (async () => {
      while (!over.signal.aborted) await compact(world);
    })();
    const following = follow(db, environmentId, total);
    const searching = (async () => {
      while (!over.signal.aborted) {
        const { entries } = await searchLogs(
          { store, clock },
          { environmentId, owner: 'org', filter: {}, limit: 10_000 },
        );
        expect(entries.map(({ line }) => line)).toEqual(entries.map((_, index) => index + 1));
      }
    })();
    expect(await following).toEqual(Array.from({ length: total }, (_, index) => `line ${index + 1}`));
    await Promise.all([writing, compacting, searching]);
    await compact(world);
    expect((await listChunkSizes(db, { environmentId, day: '2026-11-15' })).length).toBeLessThan(100);
  });
});

/** As somebody who follows does: what is after the last line, a few chunks at a time. */
async function follow(db: Db, environmentId: string, total: number): Promise<string[]> {
  const seen: string[] = [];
  while (seen.length < total) {
    const rows = await readChunks(db, { environmentId, afterLine: seen.length, limit: 3, order: 'asc' });
    for (const row of rows) {
      const entries = (await decodeChunk(row)).entries();
      seen.push(...entries.filter(({ line }) => line > seen.length).map(({ message }) => message));
    }
  }
  return seen;
}
