import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ApplicationRow } from '../../../db/schema.ts';
import type { PushEvent } from '../../../vcs/vcs-host.ts';
import type { VcsJobsDeps } from './jobs.ts';
import { openPushWorld, type PushWorld } from './testing/push-world.ts';

/** A moment at which the worker is gone: what it had committed by then stays, and nothing else. */
class Killed extends Error {}

/** Dies at the step that was chosen, once: before or after something that is asked of git or of the store. */
interface Mortal {
  deps: VcsJobsDeps;
  dieAt: (step: number) => void;
  hasDied: () => boolean;
}

function mortal(deps: VcsJobsDeps): Mortal {
  let left = Infinity;
  const pass = () => {
    if (left-- === 0) throw new Killed('killed');
  };
  const between = async <T>(work: () => Promise<T>): Promise<T> => {
    pass();
    const done = await work();
    pass();
    return done;
  };
  const { db } = deps.store;
  const dying = new Proxy(db, {
    get(target, name) {
      if (name === 'transaction') {
        return () => ({ execute: (work: never) => between(() => target.transaction().execute(work)) });
      }
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
  const gitSources: VcsJobsDeps['gitSources'] = {
    headOf: (...given) => between(() => deps.gitSources.headOf(...given)),
    openTree: (...given) => between(() => deps.gitSources.openTree(...given)),
  };
  return {
    deps: { ...deps, gitSources, store: { ...deps.store, db: dying } },
    dieAt: (step) => void (left = step),
    hasDied: () => left < 0,
  };
}

let world: PushWorld;
beforeAll(async () => {
  world = await openPushWorld({ isIdle: true });
  await world.linkInstallation('acme');
});
afterAll(() => world[Symbol.asyncDispose]());

/**
 * Delivers again and again, and has the worker die at each step in turn, until it comes through without. What it leaves
 * behind is what one that was killed would, and the next has nothing else to go by.
 */
async function dyingEverywhere(
  name: string,
  prepare: (application: ApplicationRow, step: number) => Promise<PushEvent[]>,
  check: (application: ApplicationRow, events: PushEvent[]) => Promise<void>,
): Promise<number> {
  await world.addRepository(`acme/${name}`);
  const application = await world.create(name, `acme/${name}`);
  const { deps, dieAt, hasDied } = mortal(world.deps);
  const worker = await world.work(deps);
  try {
    for (let step = 0; ; step++) {
      await world.finish('healthy');
      const events = await prepare(application, step);
      dieAt(step);
      await world.tell(events);
      await world.settled();
      expect(await world.waiting()).toHaveLength(hasDied() ? 1 : 0);
      await world.hurry();
      expect(await world.waiting()).toEqual([]);
      await check(application, events);
      if (!hasDied()) return step;
    }
  } finally {
    await worker.stop();
  }
}

// A life for each step, which takes its time on a busy machine.
describe('a worker that is killed while it acts on a delivery', { timeout: 180_000 }, () => {
  it('leaves to the next what it has not done, and what it has done is not done twice', async () => {
    const steps = await dyingEverywhere(
      'pushed',
      async (_application, step) => [
        { ...(await world.commit('acme/pushed', 'main')), message: null },
        await world.commit('acme/pushed', `feature/x${step}`),
      ],
      async (application, [main, feature]) => {
        const [production, ...previews] = await world.environmentsOf(application);
        const made = previews.filter(({ vcs_branch }) => vcs_branch === feature!.branch);
        expect(made).toHaveLength(1);
        const shas = (await world.deploymentsOf(production!)).map((each) => each.commit_sha);
        expect(shas.filter((sha) => sha === main!.sha)).toEqual([shas[0]]);
        expect((await world.deploymentsOf(made[0]!)).map((each) => each.commit_sha)).toEqual([feature!.sha]);
      },
    );
    expect(steps).toBeGreaterThanOrEqual(12);
  });

  it('removes the environment of a deleted branch in the end', async () => {
    const steps = await dyingEverywhere(
      'deleted',
      async ({ id: application_id, organisation_id }, step) => {
        const vcs_branch = `feature/gone${step}`;
        await world.commit('acme/deleted', vcs_branch);
        const row = { id: `env_gone${step}`, name: `gone${step}`, subdomain: `gone${step}`, vcs_branch };
        const values = { ...row, application_id, organisation_id };
        await world.api.store.db.insertInto('environments').values(values).execute();
        return [await world.deleteBranch('acme/deleted', vcs_branch)];
      },
      async (application, [event]) => {
        expect(await world.environmentsOf(application)).toHaveLength(1);
        const told = await world.activity();
        const name = event!.branch.replace('feature/', '');
        expect(told.filter((line) => line === `environment_deleted deleted / ${name}`)).toHaveLength(1);
      },
    );
    expect(steps).toBeGreaterThanOrEqual(4);
  });
});

describe('a host that does not answer', () => {
  it('is asked again, later and later, for those that are left; then people are told', async () => {
    const worker = await world.work();
    const [down, up] = ['acme/down', 'acme/up'];
    for (const name of [down, up]) await world.addRepository(name);
    const [lost, spared] = [await world.create('Lost', down), await world.create('Spared', down)];
    await world.finish('healthy');
    const { db } = world.api.store;
    // One of the two is read at an address where nobody is.
    const elsewhere = `${world.git.url}/one/acme/elsewhere`;
    await db.updateTable('applications').set({ vcs_repo_url: elsewhere }).where('id', '=', lost.id).execute();
    const event = await world.commit(down, 'main');
    await world.tell([event]);
    await world.settled();
    const [production] = await world.environmentsOf(spared);
    expect((await world.deploymentsOf(production!))[0]!.commit_sha).toBe(event.sha);
    const left = { failing: { tries: 1, applicationIds: [lost.id] } };
    expect(await world.waiting()).toMatchObject([{ kind: 'vcs.delivery', state: 'queued', payload: left }]);
    // What was done is not looked at again: by now its environment might be somebody's own.
    await db.deleteFrom('deployments').where('environment_id', '=', production!.id).execute();
    for (let tries = 2; tries <= 3; tries++) await world.hurry();
    expect(await world.deploymentsOf(production!)).toEqual([]);
    const [unlucky] = await world.environmentsOf(lost);
    const { body } = await world.call('/api/environments/logs', { environmentId: unlucky!.id });
    expect(JSON.stringify(body)).toContain('A push to main could not be acted on so far. acme/elsewhere was not found');
    await world.git.createRepository('one/acme/elsewhere', { 'index.html': 'x' });
    await world.hurry();
    expect(await world.waiting()).toEqual([]);
    const [deployment] = await world.deploymentsOf(unlucky!);
    expect(deployment!.commit_sha).toBe(await world.git.git('one/acme/elsewhere', ['rev-parse', 'main']));
    await worker.stop();
  });

  it('is given up after a day', async () => {
    const worker = await world.work();
    await world.addRepository('acme/ruin');
    await world.create('Ruin', 'acme/ruin');
    world.git.requireCredential('one/acme/ruin', { username: 'nobody', password: 'knows' });
    await world.tell([await world.commit('acme/ruin', 'main')]);
    await world.settled();
    expect(await world.waiting()).toHaveLength(1);
    world.api.clock.advance(24 * 60 * 60_000);
    await world.hurry();
    expect(await world.waiting()).toEqual([]);
    expect(world.log.some((line) => line.includes('was given up') && line.includes('"level":"warn"'))).toBe(true);
    await worker.stop();
  });
});
