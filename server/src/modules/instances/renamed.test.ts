import { expect, it } from 'vitest';
import { findRoute, publishRoute } from '../../routing/route-store.ts';
import { eventually } from '../../testing/eventually.ts';
import { createFleetBench, type FleetBench } from './testing/fleet-bench.ts';

/** As a rename does it: the address, and what edges know of it, in one transaction. */
async function rename({ store, environmentId, subject }: FleetBench, subdomain: string): Promise<void> {
  await store.db.transaction().execute(async (tx) => {
    await tx.updateTable('environments').set({ subdomain }).where('id', '=', environmentId).execute();
    await publishRoute(tx, { environmentId, subdomain });
  });
  subject.environment.subdomain = subdomain;
}

it('an environment that is renamed while its new instance is checked is released all the same', async () => {
  await using bench = await createFleetBench({ settings: { LILAC_START_WITHIN: '60s' } });
  await bench.work();
  await bench.deploy(bench.subject);
  await bench.settled(1);
  for (const edge of bench.edges) edge.isLagging = true;
  const { id } = await bench.start(bench.subject);
  await eventually('it is checked', async () => {
    const target = (await findRoute(bench.store.db, bench.environmentId))?.target;
    return target?.kind === 'instances' && target.probe !== null;
  });
  await rename(bench, 'another-name');
  for (const edge of bench.edges) edge.isLagging = false;
  expect(await bench.waitFor(id, 'healthy')).toMatchObject({ error: null });
});

it('instances that start after a rename know the new address', async () => {
  await using bench = await createFleetBench();
  await bench.work();
  await bench.deploy(bench.subject);
  await bench.settled(1);
  await rename(bench, 'another-name');
  await eventually('a new instance knows', async () => {
    await bench.scale(2, 2);
    return bench.runtime.started.some(({ env }) => env.LILAC_URL?.includes('//another-name.'));
  });
  expect(bench.runtime.started.at(-1)!.env.LILAC_URL).toContain('//another-name.');
});
