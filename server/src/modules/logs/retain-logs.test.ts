import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { createFakeClock } from '../../testing/fake-clock.ts';
import { listPartitions } from '../../logs/partition-store.ts';
import { createLogWorld, entry } from '../../logs/testing/log-world.ts';
import { writeLog } from '../../logs/testing/write-log.ts';
import { retainLogs } from './retain-logs.ts';

const NOON = Date.parse('2026-11-15T12:00:00Z');
const DAY_MS = 24 * 60 * 60 * 1000;

const noise = () => Buffer.from(crypto.getRandomValues(new Uint8Array(900))).toString('base64');
const position = (id: string, of: string) => ({ instance_id: id, environment_id: of, stdout: 1, stderr: 2 });

describe('retention', () => {
  it('drops days of which every line is older than seven days, and makes the next', async () => {
    await using world = await createLogWorld();
    const { store, db, environmentId } = world;
    const clock = createFakeClock(new Date(NOON));
    for (const daysAgo of [9, 8, 7, 0]) {
      await writeLog(db, environmentId, [entry({ message: `${daysAgo} days`, atMs: NOON - daysAgo * DAY_MS })]);
    }
    await retainLogs({ store, clock });
    expect(await listPartitions(db)).toEqual(['2026-11-08', '2026-11-15', '2026-11-16']);
    expect((await world.readAll()).map(({ line, message }) => [line, message])).toEqual([
      [3, '7 days'],
      [4, '0 days'],
    ]);
    expect((await world.usage()).map(({ day }) => day)).toEqual(['2026-11-08', '2026-11-15']);
    clock.advance(DAY_MS);
    await retainLogs({ store, clock });
    expect(await listPartitions(db)).toEqual(['2026-11-15', '2026-11-16', '2026-11-17']);
  });

  it('gives the disk space back', async () => {
    await using world = await createLogWorld();
    const { store, db, environmentId } = world;
    const clock = createFakeClock(new Date(NOON));
    await retainLogs({ store, clock });
    const size = async () => {
      const { rows } = await sql<{ size: string }>`select pg_database_size(current_database()) as size`.execute(db);
      return Number(rows[0]!.size);
    };
    const before = await size();
    const entries = Array.from({ length: 5000 }, () => entry({ message: noise(), atMs: NOON - 8 * DAY_MS }));
    await writeLog(db, environmentId, entries);
    const full = await size();
    expect(full - before).toBeGreaterThan(4e6);
    await retainLogs({ store, clock });
    expect((await size()) - before).toBeLessThan((full - before) / 10);
  });

  it('forgets how far the output of instances was read whose environment is gone', async () => {
    await using world = await createLogWorld();
    const { store, db, environmentId } = world;
    await db
      .insertInto('log_positions')
      .values([position('ins_1', environmentId), position('ins_2', 'env_gone')])
      .execute();
    await retainLogs({ store, clock: createFakeClock(new Date(NOON)) });
    const rows = await db.selectFrom('log_positions').select('instance_id').execute();
    expect(rows).toEqual([{ instance_id: 'ins_1' }]);
  });
});
