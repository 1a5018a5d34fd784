import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { openKeyring } from '../secrets/key-file.ts';
import { createTestStore } from '../testing/test-store.ts';
import { openBackupBench } from './testing/backup-bench.ts';

describe('the backup file', () => {
  it('is for its owner alone, and leaves no draft behind', async () => {
    using bench = openBackupBench();
    await using store = await bench.filledStore();
    const { sizeBytes } = await bench.write(store);
    expect(statSync(bench.path).mode & 0o777).toBe(0o600);
    expect(statSync(bench.path).size).toBe(sizeBytes);
    expect(readdirSync(bench.home).toSorted()).toEqual(['here', 'lilac.backup']);
  });

  it('never replaces one that is there', async () => {
    using bench = openBackupBench();
    await using store = await bench.filledStore();
    writeFileSync(bench.path, 'precious');
    await expect(bench.write(store)).rejects.toThrow('Choose another name');
    expect(readFileSync(bench.path, 'utf8')).toBe('precious');
    expect(readdirSync(bench.home).toSorted()).toEqual(['here', 'lilac.backup']);
  });

  it('is not written of a store that has nothing', async () => {
    using bench = openBackupBench();
    await using store = await createTestStore({ migrated: false });
    await expect(bench.write(store)).rejects.toThrow('nothing to back up');
  });

  it('is of one moment, however much is written meanwhile', async () => {
    using bench = openBackupBench();
    await using store = await bench.filledStore();
    const end = new AbortController();
    let pairs = 0;
    // One statement counts in one table and adds to another: a backup of two moments would show them apart.
    const writer = (async () => {
      while (!end.signal.aborted) {
        await store.pool.query(
          `with added as (insert into attempt_counters values ($1, 0, now()))
           update setup_link set token_hash = convert_to($2, 'UTF8')`,
          [`pair ${pairs}`, String(++pairs)],
        );
      }
    })();
    await bench.write(store);
    end.abort();
    await writer;
    await using other = await createTestStore({ migrated: false });
    await bench.restore(other);
    const { rows } = await other.pool.query<{ added: string; counted: string }>(`
      select (select count(*) from attempt_counters where bucket like 'pair %')::text as added,
        (select convert_from(token_hash, 'UTF8') from setup_link) as counted`);
    expect(rows[0]!.added).toBe(rows[0]!.counted);
    expect(pairs).toBeGreaterThan(Number(rows[0]!.counted));
  });

  it('names the keys that it lacks', async () => {
    using bench = openBackupBench();
    await using store = await bench.filledStore();
    const used = openKeyring(bench.keysHere).currentKeyId();
    rmSync(bench.keysHere);
    openKeyring(bench.keysHere);
    expect((await bench.write(store)).missingKeys).toEqual([used]);
  });
});
