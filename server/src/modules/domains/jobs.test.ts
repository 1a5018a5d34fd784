import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createWorker } from '../../jobs/worker.ts';
import { silentLog } from '../../lib/log.ts';
import { eventually } from '../../testing/eventually.ts';
import type { TestOwner } from '../../testing/factories.ts';
import { checkDue, domainJobs, remindForgotten } from './jobs.ts';
import { openDomainWorld, type DomainWorld } from './testing/domain-world.ts';

let world: DomainWorld;
let owner: TestOwner;
beforeAll(async () => {
  world = await openDomainWorld();
  owner = await world.newOwner();
});
afterAll(() => world[Symbol.asyncDispose]());

async function addDomain(domain: string) {
  const environment = await world.newEnvironment(owner);
  await world.domain('add', environment, { domain });
  return { environment, id: (await world.rowOf(environment))!.id };
}

/** Nothing waits, as when a worker has just taken the job. */
const forgetJobs = () => world.api.store.pool.query("delete from jobs where kind = 'domains.check'");

describe('the platform’s own looks', () => {
  it('come soon after one in vain, later after each further one, and daily when it is right', async () => {
    const { environment, id } = await addDomain('www.waiting.example');
    for (const seconds of [10, 20, 40]) {
      await forgetJobs();
      await checkDue(world.deps, id);
      expect(Math.abs((await world.secondsToCheck(environment)) - seconds)).toBeLessThan(5);
    }
    const row = (await world.rowOf(environment))!;
    expect(row).toMatchObject({ failed_checks: 3, is_pointing: false });
    expect(row.next_check_at!.getTime() - world.api.clock.now().getTime()).toBe(40_000);
    // Whoever asks in between changes nothing of that.
    await world.look(environment);
    expect(await world.rowOf(environment)).toMatchObject({ failed_checks: 3, next_check_at: row.next_check_at });

    await world.link(environment, 'www.waiting.example');
    await forgetJobs();
    await checkDue(world.deps, id);
    expect(await world.rowOf(environment)).toMatchObject({ failed_checks: 0, is_pointing: true });
    expect(await world.secondsToCheck(environment)).toBeGreaterThan(20 * 3600);
    // Somebody who wants it now has it now, and the patience begins anew.
    await world.domain('retry', environment);
    expect(await world.secondsToCheck(environment)).toBeLessThanOrEqual(0);
  });

  it('end with the domain', async () => {
    const { environment, id } = await addDomain('www.over.example');
    await world.domain('remove', environment);
    await forgetJobs();
    await checkDue(world.deps, id);
    const { rows } = await world.api.store.pool.query("select from jobs where kind = 'domains.check'");
    expect(rows).toEqual([]);
  });

  it('are remembered, though the job was lost', async () => {
    const { environment } = await addDomain('www.lost.example');
    await forgetJobs();
    await remindForgotten(world.deps);
    await expect(world.secondsToCheck(environment)).rejects.toThrow(TypeError);
    world.api.clock.advance(6 * 60_000);
    await remindForgotten(world.deps);
    expect(await world.secondsToCheck(environment)).toBeLessThanOrEqual(0);
  });

  it('bring a name from nothing to being served, with nobody asking', async () => {
    const { environment } = await addDomain('www.alone.example');
    await world.link(environment, 'www.alone.example');
    const { store } = world.api;
    const worker = createWorker({ store, log: silentLog, name: 'one', handlers: domainJobs(world.deps) });
    await worker.start();
    const isServed = async () => (await world.rowOf(environment))!.verified_at !== null;
    await eventually('it is proved', isServed);
    await worker.stop({ finishMs: 1000 });
    expect(await world.routeOf(environment)).toMatchObject({ domain: 'www.alone.example' });
  });
});
