import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EngineAway } from '../../../engines/engine.ts';
import { eventually } from '../../../testing/eventually.ts';
import { createKeeperBench, type KeeperBench } from '../testing/keeper-bench.ts';

let bench: KeeperBench;
beforeEach(async () => {
  bench = await createKeeperBench();
});
afterEach(() => bench[Symbol.asyncDispose]());

const callsOf = (method: string) => bench.engine.calls.filter((call) => call.method === method);

describe('a server', () => {
  it('that runs is left alone when another keeper takes over', async () => {
    const [one, two] = [await bench.add(), await bench.add({ ha_enabled: true })];
    const first = await bench.keep();
    await eventually('it looks', () => callsOf('probe').length >= 2);
    await first.stop();
    await bench.keep();
    await eventually('the next one looks', () => callsOf('probe').length >= 4);
    const changed = bench.engine.calls.filter(({ method }) => method !== 'probe' && method !== 'isInStep');
    expect(changed).toEqual([]);
    for (const id of [one, two]) expect((await bench.read(id)).database.status).toBe('healthy');
  });

  it('that ends is started again, and keeps what it had', async () => {
    const id = await bench.add();
    await bench.keep();
    await bench.write(id, 'a');
    const { spec } = await bench.primaryOf(id);
    bench.engine.crash(spec.id);
    await bench.settled(id, 1);
    expect(await bench.lost(id)).toEqual([]);
    await eventually('its customer is told', async () => (await bench.told()).length > 0);
    expect(await bench.told()).toEqual(['platform: database_restarted Kept']);
  });

  it('that ends again and again is told of once, and again after it has stayed up', async () => {
    const id = await bench.add();
    const { spec } = await bench.primaryOf(id);
    const crash = async (starts: number) => {
      bench.engine.crash(spec.id);
      await eventually('it was started', () => callsOf('start').length >= starts && bench.engine.isRunning(spec.id));
      await bench.settled(id, 1);
    };
    const first = await bench.keep();
    for (let round = 1; round <= 3; round++) await crash(round);
    await first.stop();
    expect(await bench.told()).toEqual(['platform: database_restarted Kept']);
    await bench.keep({ stableMs: 0 });
    await crash(4);
    await crash(5);
    await eventually('each is told', async () => (await bench.told()).length === 3);
  });

  it('that is down when the keeper starts, as after a restart of the machine, is started, and so are all', async () => {
    const ids = [await bench.add(), await bench.add({ ha_enabled: true }), await bench.add({ status: 'degraded' })];
    for (const server of bench.engine.servers.values()) server.isRunning = false;
    await bench.keep();
    await eventually('all run', () => [...bench.engine.servers.values()].every(({ isRunning }) => isRunning));
    for (const id of ids) {
      await eventually('it is healthy', async () => (await bench.read(id)).database.status === 'healthy');
    }
    expect(callsOf('promote')).toEqual([]);
  });

  it('that does not start makes the database degraded with the reason, then failed, and is tried on', async () => {
    const id = await bench.add();
    const server = await bench.primaryOf(id);
    server.refusal = 'The port is taken.';
    await bench.keep();
    bench.engine.crash(server.spec.id);
    await eventually('it is degraded', async () => (await bench.read(id)).database.status === 'degraded');
    await eventually('it is failed', async () => (await bench.read(id)).database.status === 'failed');
    expect((await bench.read(id)).database.error).toMatch(/does not start.*The port is taken/);
    server.refusal = null;
    const { database } = await bench.settled(id, 1);
    expect(database.error).toBeNull();
  });

  it('that does not start for a reason of ours has it told in plain words', async () => {
    const id = await bench.add();
    const server = await bench.primaryOf(id);
    bench.engine.around = (moment, method) => {
      if (moment === 'before' && method === 'start') throw new Error("EFBIG: file too large, ftruncate '/srv/v.img'");
    };
    await bench.keep();
    bench.engine.crash(server.spec.id);
    await eventually('it is failed', async () => (await bench.read(id)).database.status === 'failed');
    const { error } = (await bench.read(id)).database;
    expect(error).toMatch(/does not start.*ask the operator/);
    expect(error).not.toMatch(/EFBIG|srv|started again/);
  });

  it('that nobody can start for now is told to be down with the reason, not to have failed, and is started soon after', async () => {
    const id = await bench.add();
    const server = await bench.primaryOf(id);
    let isAway = true;
    bench.engine.around = (moment, method) => {
      if (isAway && moment === 'before' && method === 'start') throw new EngineAway('The swarm has no leader.');
    };
    await bench.keep({ awayMs: 5 });
    bench.engine.crash(server.spec.id);
    await eventually('it was tried often', () => callsOf('start').length > 20);
    expect((await bench.read(id)).database).toMatchObject({
      status: 'degraded',
      error: 'Its server is down and is being started again. The swarm has no leader.',
    });
    isAway = false;
    await bench.settled(id, 1);
    expect((await bench.read(id)).database).toMatchObject({ status: 'healthy', error: null });
  });

  it('that hangs is ended and started, but not at the first silence', async () => {
    const id = await bench.add();
    const server = await bench.primaryOf(id);
    server.isFrozen = true;
    await bench.keep();
    await eventually('it was ended', () => callsOf('kill').length === 1);
    const calls = bench.engine.calls.map(({ method }) => method);
    expect(calls.slice(0, calls.indexOf('kill')).filter((method) => method === 'probe')).toHaveLength(4);
    await bench.settled(id, 1);
  });

  it('that hangs and cannot be ended is asked again before that is tried again, and told to be silent', async () => {
    const id = await bench.add();
    (await bench.primaryOf(id)).isFrozen = true;
    bench.engine.around = (moment, method) => {
      if (moment === 'before' && method === 'kill') throw new Error('the engine does not answer');
    };
    await bench.keep();
    await eventually('it was tried often', () => callsOf('kill').length >= 4);
    const calls = bench.engine.calls.map(({ method }) => method);
    const tries = calls.flatMap((method, at) => (method === 'kill' ? [at] : []));
    const between = tries.slice(1).map((at, index) => calls.slice(tries[index], at));
    expect(between.filter((since) => !since.includes('probe'))).toEqual([]);
    expect((await bench.read(id)).database).toMatchObject({ status: 'degraded', error: 'Its server does not answer.' });
  });

  it('whose connections strangers have taken is neither ended nor called silent: it has answered', async () => {
    const id = await bench.add();
    (await bench.primaryOf(id)).isCrowded = true;
    await bench.keep();
    await eventually('it was asked often', () => callsOf('probe').length > 12);
    expect(callsOf('kill')).toEqual([]);
    expect((await bench.read(id)).database).toMatchObject({ status: 'healthy', error: null });
  });

  it('is not touched while a job holds the database, nor when it is being set up or deleted', async () => {
    const ids = [
      await bench.add(),
      await bench.add({ status: 'provisioning' }),
      await bench.add({ status: 'deleting' }),
    ];
    const other = await bench.add();
    const servers = await Promise.all(ids.map((id) => bench.primaryOf(id)));
    for (const { spec } of servers) bench.engine.servers.get(spec.id)!.isRunning = false;
    await bench.keep();
    const job = Promise.withResolvers<void>();
    // Taken back at once where the keeper was quicker; then it is stopped as a job would.
    const holding = bench.locks.hold(ids[0]!, async () => {
      await bench.engine.stop(servers[0]!.spec.id);
      await job.promise;
    });
    bench.engine.crash((await bench.primaryOf(other)).spec.id);
    await eventually('the other one is started', async () => (await bench.primaryOf(other)).isRunning);
    expect(servers.map(({ isRunning }) => isRunning)).toEqual([false, false, false]);
    job.resolve();
    await holding;
    await eventually('the job is over', () => servers[0]!.isRunning);
    expect(servers.map(({ isRunning }) => isRunning)).toEqual([true, false, false]);
  });
});

describe('a failover', () => {
  it('loses nothing that was acknowledged, leads the address, and makes another standby', async () => {
    const id = await bench.add({ ha_enabled: true });
    await bench.keep();
    const before = await bench.read(id);
    for (let value = 0; value < 10; value++) await bench.write(id, `${value}`);
    bench.engine.crash(before.primary.id);
    const after = await bench.settled(id, 2);
    expect(after.primary.id).toBe(before.standby!.id);
    expect(after.standby!.id).not.toBe(before.primary.id);
    expect(bench.leads.get(before.database.port)).toBe(before.standby!.port);
    expect(bench.engine.servers.has(before.primary.id)).toBe(false);
    expect(await bench.write(id, 'after')).toBe(true);
    expect(await bench.lost(id)).toEqual([]);
    expect(callsOf('kill').map(({ serverId }) => serverId)).toContain(before.primary.id);
  });

  it('happens again and again', async () => {
    const id = await bench.add({ ha_enabled: true });
    await bench.keep();
    for (let round = 0; round < 4; round++) {
      expect(await bench.write(id, `${round}`)).toBe(true);
      bench.engine.crash((await bench.read(id)).primary.id);
      await bench.settled(id, 2);
    }
    expect(await bench.lost(id)).toEqual([]);
    expect(callsOf('promote')).toHaveLength(4);
    expect(await bench.told()).toEqual(Array(4).fill('platform: database_failed_over Kept'));
  });

  it('follows a primary that hangs', async () => {
    const id = await bench.add({ ha_enabled: true });
    await bench.keep({ outOfStepMs: 60_000 });
    await bench.write(id, 'a');
    const old = await bench.primaryOf(id);
    old.isFrozen = true;
    await eventually('another is primary', async () => (await bench.read(id)).primary.id !== old.spec.id);
    await bench.settled(id, 2);
    expect(await bench.lost(id)).toEqual([]);
  });

  it('does not happen to a standby that missed something: the primary is started again', async () => {
    const id = await bench.add({ ha_enabled: true });
    const { primary, standby } = await bench.read(id);
    bench.engine.servers.get(standby!.id)!.refusal = 'broken';
    await bench.keep();
    bench.engine.crash(standby!.id);
    await eventually('it goes on alone', () => bench.write(id, 'alone'));
    // It is there again, and knows nothing of what was written meanwhile.
    bench.engine.around = (moment, method) => {
      if (moment === 'before' && (method === 'setSynchronous' || method === 'createStandby'))
        throw new Error('not now');
    };
    bench.engine.servers.get(standby!.id)!.isRunning = true;
    bench.engine.crash(primary.id);
    await eventually('the primary runs', () => bench.engine.isRunning(primary.id));
    bench.engine.around = () => undefined;
    await bench.settled(id, 2);
    expect((await bench.read(id)).primary.id).toBe(primary.id);
    expect(callsOf('promote')).toEqual([]);
    expect(await bench.lost(id)).toEqual([]);
  });

  it('goes to a standby that has to be started first, where the primary is beyond help', async () => {
    const id = await bench.add({ ha_enabled: true });
    await bench.write(id, 'a');
    const { primary, standby } = await bench.read(id);
    for (const server of bench.engine.servers.values()) server.isRunning = false;
    bench.engine.servers.get(primary.id)!.refusal = 'Its files are broken.';
    await bench.keep();
    const after = await bench.settled(id, 2);
    expect(after.primary.id).toBe(standby!.id);
    expect(await bench.lost(id)).toEqual([]);
  });

  it('does not happen where the engine knows that the standby has lost something, whatever the row says', async () => {
    const id = await bench.add({ ha_enabled: true });
    await bench.write(id, 'a');
    const { primary } = await bench.read(id);
    (await bench.primaryOf(id)).isStandbyInStep = false;
    (await bench.standbyOf(id))!.data.clear();
    await bench.keep();
    bench.engine.crash(primary.id);
    await bench.settled(id, 2);
    expect((await bench.read(id)).primary.id).toBe(primary.id);
    expect(callsOf('promote')).toEqual([]);
    expect(await bench.lost(id)).toEqual([]);
  });

  it('that fails leaves the primary to be started', async () => {
    const id = await bench.add({ ha_enabled: true });
    await bench.write(id, 'a');
    const { primary } = await bench.read(id);
    bench.engine.around = (moment, method) => {
      if (moment === 'before' && method === 'promote') throw new Error('it does not become one');
    };
    await bench.keep();
    bench.engine.crash(primary.id);
    await bench.settled(id, 2);
    expect((await bench.read(id)).primary.id).toBe(primary.id);
    expect(await bench.lost(id)).toEqual([]);
  });
});

describe('a standby', () => {
  it('that ends is let go at once, started again, and in step again', async () => {
    const id = await bench.add({ ha_enabled: true });
    await bench.keep();
    const { standby } = await bench.read(id);
    bench.engine.crash(standby!.id);
    await eventually('it was let go', () => callsOf('setSynchronous').length > 0);
    await eventually('it is waited for', async () => (await bench.primaryOf(id)).commitsWaitFor === standby!.id);
    const after = await bench.settled(id, 2);
    expect(after.standby!.id).toBe(standby!.id);
  });

  it('is let go though a job holds the database, which may be waiting for it', async () => {
    const id = await bench.add({ ha_enabled: true });
    await bench.keep();
    const { standby } = await bench.read(id);
    await bench.locks.hold(id, async () => {
      bench.engine.crash(standby!.id);
      await eventually('writes go on', () => bench.write(id, 'alone'));
      expect(bench.engine.isRunning(standby!.id)).toBe(false);
    });
    await bench.settled(id, 2);
  });

  it('that does not follow any more is let go, and made anew where nothing helps', async () => {
    const id = await bench.add({ ha_enabled: true });
    await bench.keep();
    const { standby } = await bench.read(id);
    bench.engine.servers.get(standby!.id)!.isFrozen = true;
    await eventually('writes go on', () => bench.write(id, 'alone'));
    const after = await bench.settled(id, 2);
    expect(after.standby!.id).not.toBe(standby!.id);
    expect(await bench.lost(id)).toEqual([]);
  });

  it('is made where there is to be one, and removed where there is to be none', async () => {
    const id = await bench.add();
    await bench.store.db.updateTable('databases').set({ ha_enabled: true }).where('id', '=', id).execute();
    await bench.keep();
    await bench.settled(id, 2);
    await bench.store.db.updateTable('databases').set({ ha_enabled: false }).where('id', '=', id).execute();
    await bench.settled(id, 1);
    expect((await bench.primaryOf(id)).commitsWaitFor).toBeNull();
    expect(await bench.write(id, 'a')).toBe(true);
  });

  it('that cannot be made makes the database degraded, until it can', async () => {
    const id = await bench.add();
    await bench.store.db.updateTable('databases').set({ ha_enabled: true }).where('id', '=', id).execute();
    bench.engine.around = (moment, method) => {
      if (moment === 'after' && method === 'createStandby') throw new Error('no room');
    };
    await bench.keep();
    await eventually('it is degraded', async () => (await bench.read(id)).database.status === 'degraded');
    await eventually('it was tried again', () => callsOf('createStandby').length >= 2);
    expect(await bench.write(id, 'a')).toBe(true);
    bench.engine.around = () => undefined;
    await bench.settled(id, 2);
  });
});
