import { expect, it } from 'vitest';
import { eventually } from '../../../testing/eventually.ts';
import { createKeeperBench } from '../testing/keeper-bench.ts';

it('lets no machine have all connections of a database, at whichever port its servers are', async () => {
  await using bench = await createKeeperBench();
  const id = await bench.add({ ha_enabled: true });
  await bench.keep();
  const { database, primary, standby } = await bench.read(id);
  const ports = [...new Set([database.port, primary.port, standby!.port])];
  await eventually('they are limited', () => bench.limits.length === ports.length);
  expect(bench.limits).toEqual(ports.map((port) => ({ port, most: 30 })));
  const other = await bench.add();
  const { port } = (await bench.read(other)).database;
  await eventually('the new one is too', () => bench.limits.some((limit) => limit.port === port));
});
