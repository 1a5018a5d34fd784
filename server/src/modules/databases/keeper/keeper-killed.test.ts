import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '../../../testing/eventually.ts';
import { createKeeperBench, type KeeperBench } from '../testing/keeper-bench.ts';
import type { KeptMethod } from '../testing/keeper-engine.ts';

let bench: KeeperBench;
beforeEach(async () => {
  bench = await createKeeperBench();
});
afterEach(() => bench[Symbol.asyncDispose]());

type Moment = 'before' | 'after';
const never = () => new Promise<never>(() => undefined);

/** The keeper comes to this point, and no further. Resolves when it is there. */
function killAt(moment: Moment, method: KeptMethod | 'point', isMeant: (serverId: string) => boolean = () => true) {
  const reached = Promise.withResolvers<void>();
  const stop = () => {
    reached.resolve();
    return never();
  };
  if (method === 'point') bench.aroundPoint = (at) => (at === moment ? stop() : undefined);
  else {
    bench.engine.around = (at, called, serverId) =>
      at === moment && called === method && isMeant(serverId) ? stop() : undefined;
  }
  return reached.promise;
}

function reviveHooks(): void {
  bench.engine.around = () => undefined;
  bench.aroundPoint = () => undefined;
}

const moments: [Moment, KeptMethod | 'point'][] = (['before', 'after'] as const).flatMap((moment) =>
  (['kill', 'promote', 'point', 'destroy', 'createStandby', 'setSynchronous', 'isInStep'] as const).map(
    (method): [Moment, KeptMethod | 'point'] => [moment, method],
  ),
);

describe('a keeper that is killed in a failover', () => {
  it.each(moments)('%s %s leaves it to the next: one primary, the address leads to it, nothing lost', async (...at) => {
    const id = await bench.add({ ha_enabled: true });
    const before = await bench.read(id);
    const first = await bench.keep({ stepMs: 60_000 });
    for (let value = 0; value < 5; value++) await bench.write(id, `${value}`);
    const killed = killAt(...at);
    bench.engine.crash(before.primary.id);
    await killed;
    bench.kill(first);
    reviveHooks();
    await bench.write(id, 'in between');
    await bench.keep();
    const after = await bench.settled(id, 2);
    const primaries = [...bench.engine.servers.values()].filter(({ isPrimary }) => isPrimary);
    expect(primaries.map(({ spec }) => spec.id)).toEqual([after.primary.id]);
    expect(bench.leads.get(after.database.port) ?? after.database.port).toBe(after.primary.port);
    expect(bench.engine.servers.has(before.primary.id)).toBe(false);
    expect(await bench.write(id, 'afterwards')).toBe(true);
    expect(await bench.lost(id)).toEqual([]);
    expect(await bench.told()).toEqual(['platform: database_failed_over Kept']);
  });

  it.each(['before', 'after'] as const)(
    '%s its promotion, and the whole machine with it, starts the primary again',
    async (moment) => {
      const id = await bench.add({ ha_enabled: true });
      const { primary } = await bench.read(id);
      const first = await bench.keep({ stepMs: 60_000 });
      await bench.write(id, 'a');
      const killed = killAt(moment, 'promote');
      bench.engine.crash(primary.id);
      await killed;
      bench.kill(first);
      reviveHooks();
      for (const server of bench.engine.servers.values()) server.isRunning = false;
      await bench.keep();
      await eventually('there is one primary', () => {
        const running = [...bench.engine.servers.values()].filter(({ isRunning }) => isRunning);
        return running.length === 2 && running.filter(({ isPrimary }) => isPrimary).length === 1;
      });
      const after = await bench.settled(id, 2);
      expect(after.primary.id).toBe(primary.id);
      expect(await bench.lost(id)).toEqual([]);
    },
  );
});

describe('a keeper that is killed while it lets a standby go', () => {
  it.each(['before', 'after'] as const)('%s the primary was told never fails over to it', async (moment) => {
    const id = await bench.add({ ha_enabled: true });
    const { primary, standby } = await bench.read(id);
    const first = await bench.keep();
    await bench.write(id, 'together');
    const killed = killAt(moment, 'setSynchronous');
    bench.engine.servers.get(standby!.id)!.refusal = 'not now';
    bench.engine.crash(standby!.id);
    await killed;
    bench.kill(first);
    // Where it has been told already, it is acknowledged, and the standby does not have it.
    expect(await bench.write(id, 'alone')).toBe(moment === 'after');
    Object.assign(bench.engine.servers.get(standby!.id)!, { isRunning: true, refusal: null });
    bench.engine.servers.get(primary.id)!.isRunning = false;
    reviveHooks();
    await bench.keep();
    const after = await bench.settled(id, 2);
    expect(after.primary.id).toBe(primary.id);
    expect(bench.engine.calls.filter(({ method }) => method === 'promote')).toEqual([]);
    expect(await bench.lost(id)).toEqual([]);
    expect(await bench.write(id, 'together again')).toBe(true);
  });

  it('is followed by one that lets it go for good', async () => {
    const id = await bench.add({ ha_enabled: true });
    const { standby } = await bench.read(id);
    const first = await bench.keep();
    const killed = killAt('before', 'setSynchronous');
    bench.engine.servers.get(standby!.id)!.refusal = 'broken';
    bench.engine.crash(standby!.id);
    await killed;
    bench.kill(first);
    bench.engine.around = (moment, method) => {
      if (method === 'createStandby' && moment === 'before') throw new Error('not now');
    };
    await bench.keep();
    await eventually('writes go on', () => bench.write(id, 'alone'));
    expect((await bench.read(id)).standby!.in_step).toBe(false);
  });
});

describe('a keeper that is killed while it makes a standby', () => {
  it.each(moments.filter(([, method]) => ['createStandby', 'setSynchronous', 'isInStep'].includes(method)))(
    '%s %s leaves it to the next, and nothing half-made remains',
    async (...at) => {
      const id = await bench.add();
      await bench.store.db.updateTable('databases').set({ ha_enabled: true }).where('id', '=', id).execute();
      const { primary } = await bench.read(id);
      await bench.write(id, 'a');
      const killed = killAt(...at);
      const first = await bench.keep();
      await killed;
      bench.kill(first);
      reviveHooks();
      await bench.keep();
      const after = await bench.settled(id, 2);
      expect(after.primary.id).toBe(primary.id);
      expect(await bench.write(id, 'b')).toBe(true);
      bench.engine.crash(primary.id);
      await eventually('the standby has taken over', async () => (await bench.read(id)).primary.id !== primary.id);
      expect(await bench.lost(id)).toEqual([]);
    },
  );
});
