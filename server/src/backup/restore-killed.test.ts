import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { start } from '../lib/exec.ts';
import { openKeyring } from '../secrets/key-file.ts';
import { platformSecret } from '../secrets/platform-secrets-store.ts';
import { createTestStore, type TestStore } from '../testing/test-store.ts';
import { eventually } from '../testing/eventually.ts';
import { contentOf, openBackupBench, type BackupBench } from './testing/backup-bench.ts';

const program = join(import.meta.dirname, 'testing', 'restore-program.ts');

function startRestore({ url }: TestStore, { path, keysThere, home }: BackupBench) {
  const argv = [process.execPath, program, '--url', url, '--path', path, '--keys', keysThere] as const;
  const child = start([...argv, '--objects', join(home, 'there', 'objects')], { env: {}, stdio: 'inherit' });
  return { child, exited: once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]> };
}

async function isRestoring({ pool }: TestStore): Promise<boolean> {
  const { rowCount } = await pool.query(
    `select from pg_stat_activity where datname = current_database() and application_name = 'lilac restore'`,
  );
  return rowCount! > 0;
}

/** How long it takes from start to end, into a store of its own. */
async function timeRestore(bench: BackupBench): Promise<number> {
  await using store = await createTestStore();
  const startedAt = performance.now();
  await startRestore(store, { ...bench, keysThere: join(bench.home, 'timing', 'keyring.json') }).exited;
  return performance.now() - startedAt;
}

/** Jobs that ran are queued again, so of those only the number is the same. */
async function expectRestored(target: TestStore, source: TestStore): Promise<void> {
  const { jobs: restoredJobs, ...restored } = await contentOf(target);
  const { jobs, ...expected } = await contentOf(source);
  expect(restored).toEqual(expected);
  expect(restoredJobs).toHaveLength(jobs!.length);
}

describe('a restore that is killed at any moment', () => {
  it('leaves the store as it was, readable; and the next one restores it all', { timeout: 180_000 }, async () => {
    using bench = openBackupBench();
    await using source = await bench.filledStore();
    await source.pool.query(
      `insert into jobs (kind, max_attempts, payload)
       select 'k', 1, jsonb_build_object('n', n, 'text', repeat(md5(n::text), 4)) from generate_series(1, 20000) n`,
    );
    await bench.write(source);
    await using target = await createTestStore();
    const secret = await platformSecret({ store: target, keyring: openKeyring(bench.keysThere) }, 'console-password');
    await target.pool.query(`insert into organisations (id, name, slug, plan) values ('org_1', 'Old', 'old', 'free')`);
    const before = await contentOf(target);

    let killedInside = 0;
    const wholeMs = await timeRestore(bench);
    for (const share of [0, 0.3, 0.5, 0.6, 0.7, 0.8, 0.9]) {
      const { child, exited } = startRestore(target, bench);
      await Promise.race([delay(wholeMs * share), exited]);
      if (await isRestoring(target)) killedInside++;
      child.kill('SIGKILL');
      await exited;
      await eventually('its session is gone', async () => !(await isRestoring(target)));
      const after = await contentOf(target);
      // One that was faster than the first had committed before the kill: then all of it is there.
      if (after['organisations']!.length !== before['organisations']!.length) {
        await expectRestored(target, source);
        break;
      }
      expect(after).toEqual(before);
      const keyring = openKeyring(bench.keysThere);
      expect(await platformSecret({ store: target, keyring }, 'console-password')).toEqual(secret);
    }
    expect(killedInside).toBeGreaterThan(0);

    const { exited } = startRestore(target, bench);
    expect(await exited).toEqual([0, null]);
    await expectRestored(target, source);
    const { rows } = await target.pool.query(`select from pg_namespace where nspname like 'lilac_restore%'`);
    expect(rows).toEqual([]);
  });

  it('changes nothing when a reference in the backup leads nowhere', async () => {
    using bench = openBackupBench();
    await using source = await bench.filledStore();
    await source.pool.query('alter table environments disable trigger all');
    await source.pool.query(`update environments set application_id = 'app_nowhere'`);
    await bench.write(source);
    await using target = await createTestStore();
    const before = await contentOf(target);
    await expect(bench.restore(target)).rejects.toThrow('violates foreign key constraint');
    expect(await contentOf(target)).toEqual(before);
  });
});
