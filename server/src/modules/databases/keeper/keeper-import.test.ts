import type { DatabaseType } from '@lilac/contract/states';
import { describe, expect, it } from 'vitest';
import { eventually } from '../../../testing/eventually.ts';
import { setProgress } from '../database-store.ts';
import { createKeeperBench, type KeeperBench } from '../testing/keeper-bench.ts';

const isShut = async (bench: KeeperBench, id: string) =>
  Object.values((await bench.primaryOf(id)).spec.access).every((networks) => networks.length === 0);

/** Its server dies in the middle of an import, and is there again. */
async function restartWhileImporting(type: DatabaseType) {
  const bench = await createKeeperBench(type);
  const id = await bench.add();
  await bench.keep();
  await bench.settled(id, 1);
  await setProgress(bench.store.db, id, { status: 'updating', step: 'importing', percent: 0 });
  bench.engine.crash((await bench.read(id)).primary.id);
  await eventually('it runs again', async () => (await bench.primaryOf(id)).isRunning);
  return { bench, id };
}

describe('a server that dies while a dump is imported', () => {
  it('of MySQL lets nobody in when it comes up, and everybody once the import is over, however it ended', async () => {
    const { bench, id } = await restartWhileImporting('mysql');
    await using _bench = bench;
    expect(await isShut(bench, id)).toBe(true);
    await setProgress(bench.store.db, id, { status: 'degraded', step: 'settled', percent: 100 });
    await eventually('people get in', async () => !(await isShut(bench, id)));
  });

  it('of PostgreSQL, whose import is one transaction, lets people in', async () => {
    const { bench, id } = await restartWhileImporting('postgresql');
    await using _bench = bench;
    expect(await isShut(bench, id)).toBe(false);
  });
});
