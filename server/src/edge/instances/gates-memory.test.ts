import { describe, expect, it } from 'vitest';
import { heldInMemory } from '../../testing/collect-all.ts';
import { RouteTable } from '../routes/route-table.ts';
import { Gates } from './gates.ts';
import { instancesOf } from './testing/gate-rig.ts';

const COUNT = 10_000;

/** As routes come from the store: nothing of one is another's. */
function sleepingRoutes() {
  return Array.from({ length: COUNT }, (_, at) => {
    const environmentId = `env_${at.toString(36).padStart(26, '0')}`;
    const target = { ...instancesOf([]), deploymentId: `dep_${at.toString(36).padStart(26, '0')}` };
    return JSON.parse(
      JSON.stringify({
        environmentId,
        subdomain: `application-${at}--preview`,
        target,
        lock: null,
        accessLog: false,
        version: at,
      }),
    ) as Parameters<RouteTable['set']>[0];
  });
}

describe('an environment that sleeps', () => {
  it('costs an edge less than a kilobyte', async () => {
    const before = await heldInMemory();
    const table = new RouteTable();
    const gates = new Gates({ routes: table });
    table.replaceAll(sleepingRoutes());
    expect(((await heldInMemory()) - before) / COUNT).toBeLessThan(1024);
    expect([table.size, [...gates.all()].length]).toEqual([COUNT, 0]);
  });

  it('costs little more when it has been awake', async () => {
    const table = new RouteTable();
    const gates = new Gates({ routes: table });
    table.replaceAll(sleepingRoutes());
    const before = await heldInMemory();
    for (const { environmentId, target } of table.routes()) gates.of(environmentId, target as never);
    gates.load();
    expect(((await heldInMemory()) - before) / COUNT).toBeLessThan(1024);
  });
});
