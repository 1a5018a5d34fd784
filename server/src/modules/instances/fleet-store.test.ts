import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { publishRoute } from '../../routing/route-store.ts';
import { eventually } from '../../testing/eventually.ts';
import { lockEnvironment } from '../environments/environment-store.ts';
import { holdRoute } from './fleet-store.ts';
import { instancesTarget } from './instances-target.ts';
import { createFleetBench } from './testing/fleet-bench.ts';

it('whoever waited for the environment sees what was published meanwhile', async () => {
  await using bench = await createFleetBench();
  const { environmentId, store } = bench;
  const target = instancesTarget({ id: 'dep_next', run: { concurrency: 1 } }, { max: 1 }, []);
  const locked = Promise.withResolvers<void>();
  const waited = Promise.withResolvers<void>();
  const publishing = store.db.transaction().execute(async (tx) => {
    const { subdomain } = (await lockEnvironment(tx, environmentId))!;
    locked.resolve();
    await waited.promise;
    await publishRoute(tx, { environmentId, subdomain, target });
  });
  await locked.promise;
  const held = store.db.transaction().execute((tx) => holdRoute(tx, environmentId));
  await eventually('it waits', async () => {
    const { rows } = await sql<{ count: number }>`
      select count(*)::int from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(store.db);
    return rows[0]!.count > 0;
  });
  waited.resolve();
  await publishing;
  expect((await held)!.target).toMatchObject({ deploymentId: 'dep_next' });
});
