import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Fault } from '../../../lib/fault.ts';
import { eventually } from '../../../testing/eventually.ts';
import { openPrivateWorld, type PrivateWorld } from '../access/testing/private-world.ts';
import { enqueueStatus } from './job-kinds.ts';

let world: PrivateWorld;
let url: string;
beforeAll(async () => {
  world = await openPrivateWorld();
  url = await world.addPrivate('acme/shop');
  await world.linkInstallation('acme');
});
afterAll(() => world[Symbol.asyncDispose]());
beforeEach(() => {
  world.hosts.provider1.statuses.length = 0;
  world.hosts.provider1.isDown = false;
  world.hosts.provider1.before = () => {};
});

const statuses = () => world.hosts.provider1.statuses;
const statesOf = (sha: string | null) =>
  statuses()
    .filter((status) => status.sha === sha)
    .map(({ state }) => state);

async function create(): Promise<{ id: string; environmentId: string }> {
  const { body } = await world.call('/api/applications/create', { name: 'Told', vcsRepoUrl: url, isPrivate: true });
  const shown = await world.call('/api/applications/get', { applicationId: body.id });
  return { id: body.id as string, environmentId: shown.body.environments[0].id as string };
}

const commit = (text: string) => world.git.commit('one/acme/shop', { files: { 'index.html': text } });

/** Every status that was to be written has been, or has been put off. */
const settled = () =>
  eventually('no status is under way', async () => {
    const { rows } = await world.api.store.pool.query<{ count: number }>(
      `select count(*)::int as count from jobs where kind = 'vcs.write-status'
       and (state = 'running' or (state = 'queued' and run_at <= now()))`,
    );
    return rows[0]!.count === 0;
  });

/** What was put off is due now. */
async function hasten(): Promise<number> {
  const { rowCount } = await world.api.store.pool.query(
    `update jobs set run_at = now() where kind = 'vcs.write-status' and state = 'queued'`,
  );
  await world.api.store.pool.query(`select pg_notify('lilac_jobs', 'vcs.write-status')`);
  await settled();
  return rowCount ?? 0;
}

const failBuilds = (message: string) => {
  world.beforeBuild = () => Promise.reject(new Fault('VA003', message));
};

describe('the status of a commit', () => {
  it('is pending when its build begins, and success with the address once it is live', async () => {
    const sha = await commit('one');
    const { id } = await create();
    const { status, commit_sha } = await world.ended(id);
    await settled();
    expect([status, commit_sha]).toEqual(['healthy', sha]);
    const { slug } = await world.application(id);
    const same = { repository: { owner: 'acme', name: 'shop' }, sha, context: `lilac/${slug}/production` };
    const last = statuses().at(-1);
    expect(last).toEqual({ ...same, state: 'success', description: 'Live', url: `http://${slug}.localhost:7080` });
    expect(['success', 'pending success']).toContain(statesOf(sha).join(' '));
    expect((await world.ended(id)).told_state).toBe('success');
  });

  it('stands beside that of another application of the same repository', async () => {
    const sha = await commit('shared');
    const slugs: string[] = [];
    for (const { id } of [await create(), await create()]) {
      expect(await world.ended(id)).toMatchObject({ status: 'healthy', commit_sha: sha });
      slugs.push((await world.application(id)).slug);
    }
    await settled();
    const contexts = new Set(statuses().map(({ context }) => context));
    expect([...contexts].toSorted()).toEqual(slugs.map((slug) => `lilac/${slug}/production`).toSorted());
  });

  it('is pending while it is built, with nothing that the build has said', async () => {
    const { id } = await create();
    await world.ended(id);
    const { slug } = await world.application(id);
    const sha = await commit('slow');
    const gate = Promise.withResolvers<void>();
    world.beforeBuild = () => gate.promise;
    const deploying = world.deploy({ id });
    await eventually('it is pending', () => statesOf(sha).includes('pending'));
    expect(statuses().at(-1)).toMatchObject({
      sha,
      state: 'pending',
      description: 'Being built and released',
      url: `http://${slug}.localhost:7080`,
    });
    gate.resolve();
    world.beforeBuild = null;
    await deploying;
    await settled();
    expect(statesOf(sha)).toEqual(['pending', 'success']);
  });

  it('is failure when the build fails, without its reasons, which everybody could read', async () => {
    const { id } = await create();
    await world.ended(id);
    const sha = await commit('broken');
    failBuilds('the-secret-of-the-build');
    const failed = await world.deploy({ id });
    world.beforeBuild = null;
    await settled();
    expect(failed.status).toBe('failed');
    expect(statesOf(sha).at(-1)).toBe('failure');
    const { slug } = await world.application(id);
    expect(statuses().at(-1)!.url).toBe(`http://${slug}.localhost:7080`);
    expect(JSON.stringify(statuses())).not.toContain('the-secret-of-the-build');
  });

  it('is cancelled with its deployment', async () => {
    const { id } = await create();
    await world.ended(id);
    const sha = await commit('cancelled');
    world.beforeBuild = (signal) =>
      new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));
    const { body } = await world.call('/api/applications/deploy', { applicationId: id });
    await eventually('it is pending', () => statesOf(sha).includes('pending'));
    await world.call('/api/deployments/cancel', { deploymentId: body.id });
    expect(await world.ended(id)).toMatchObject({ status: 'cancelled' });
    world.beforeBuild = null;
    await settled();
    expect(statesOf(sha)).toEqual(['pending', 'cancelled']);
  });

  it('is not left pending when the build was interrupted and then found its branch elsewhere', async () => {
    const { id } = await create();
    await world.ended(id);
    const before = await commit('before');
    let tries = 0;
    world.beforeBuild = async () => {
      if (tries++ > 0) return;
      await eventually('it is pending', () => statesOf(before).includes('pending'));
      await commit('after');
      throw new TypeError('as if its worker had died');
    };
    const { status, commit_sha: after } = await world.deploy({ id });
    world.beforeBuild = null;
    await settled();
    expect([status, after === before]).toEqual(['healthy', false]);
    expect(statesOf(before)).toEqual(['pending', 'cancelled']);
    expect(statesOf(after).at(-1)).toBe('success');
  });

  it('of what was superseded before anybody looked at it is not told; of the one that took its place it is', async () => {
    const { id } = await create();
    await world.ended(id);
    const gate = Promise.withResolvers<void>();
    world.beforeBuild = () => gate.promise;
    const first = await commit('first');
    const building = await world.call('/api/applications/deploy', { applicationId: id });
    await eventually('it is pending', () => statesOf(first).includes('pending'));
    const second = await commit('second');
    const waiting = await world.call('/api/applications/deploy', { applicationId: id });
    const third = await commit('third');
    const last = await world.call('/api/applications/deploy', { applicationId: id });
    gate.resolve();
    world.beforeBuild = null;
    await world.ended(id);
    await settled();
    expect(new Set([building.body.id, waiting.body.id, last.body.id]).size).toBe(3);
    expect([statesOf(second), statesOf(third).at(-1)]).toEqual([[], 'success']);
    expect(['success', 'cancelled']).toContain(statesOf(first).at(-1));
  });

  it('is success again after a rollback, whatever became of the commit meanwhile', async () => {
    const { id, environmentId } = await create();
    const first = await world.ended(id);
    failBuilds('It does not build any more.');
    expect(await world.deploy({ id })).toMatchObject({ status: 'failed', commit_sha: first.commit_sha });
    world.beforeBuild = null;
    await settled();
    expect(statesOf(first.commit_sha).at(-1)).toBe('failure');
    const body = { environmentId, deploymentId: first.id };
    expect(await world.call('/api/deployments/rollback', body)).toMatchObject({ status: 200 });
    await eventually('it is success', () => statesOf(first.commit_sha).at(-1) === 'success');
  });

  it('of an earlier deployment says nothing more once the same commit was deployed again', async () => {
    const { id } = await create();
    const first = await world.ended(id);
    await settled();
    await world.deploy({ id });
    await settled();
    const told = statuses().length;
    await world.api.store.pool.query('update deployments set told_state = null where id = $1', [first.id]);
    await world.api.store.db.transaction().execute((tx) => enqueueStatus(tx, { deploymentId: first.id }));
    await settled();
    expect(statuses()).toHaveLength(told);
  });

  it('is put off while the host is down, in nobody’s way, and then tells what is the case', async () => {
    const { id } = await create();
    await world.ended(id);
    await settled();
    const sha = await commit('patience');
    world.hosts.provider1.before = (method) => {
      // What a build needs of it is served meanwhile.
      world.hosts.provider1.isDown = method === 'writeStatus';
    };
    expect(await world.deploy({ id })).toMatchObject({ status: 'healthy', told_state: null });
    await settled();
    expect(await hasten()).toBe(1);
    expect(statesOf(sha)).toEqual([]);
    world.hosts.provider1.before = () => {};
    world.hosts.provider1.isDown = false;
    expect(await hasten()).toBe(1);
    expect(statesOf(sha)).toEqual(['success']);
    expect(await hasten()).toBe(0);
    const { rows } = await world.api.store.pool.query(`select from platform_errors`);
    expect(rows).toEqual([]);
  });

  it('that the host does not take is given up at once, and the deployment is none the worse', async () => {
    world.hosts.provider1.before = (method) => {
      if (method === 'writeStatus') throw new Fault('VA003', 'The app may not write statuses.');
    };
    const { id, environmentId } = await create();
    expect(await world.ended(id)).toMatchObject({ status: 'healthy', told_state: null });
    await settled();
    expect(await hasten()).toBe(0);
    expect(world.log.some((line) => line.includes('The app may not write statuses.'))).toBe(true);
    await world.deploy({ id });
    await settled();
    const { body } = await world.call('/api/environments/logs', { environmentId });
    const told = (body as string[]).filter((line) => line.includes('The app may not write statuses.'));
    expect(told).toEqual([expect.stringContaining(' WARN ') as string]);
  });

  it('is written by another that is linked where the first that reads the repository may not', async () => {
    const { statuses: written, people } = world.hosts.provider2;
    const vcsRepoUrl = await world.addPrivate('team/told', 'provider2');
    for (const login of ['ada', 'bob']) await world.linkConnection('provider2', login, ['team/told']);
    const asked: string[] = [];
    world.hosts.provider2.mayWriteStatus = (access) => {
      asked.push(access.kind === 'person' ? people.whose(access.accessToken)!.login : access.kind);
      return asked.at(-1) !== asked[0];
    };
    const settings = { name: 'Told', vcsRepoUrl, isPrivate: true, gitProvider: 'provider2' };
    const { body } = await world.call('/api/applications/create', settings);
    await world.ended(body.id);
    await settled();
    expect(await world.ended(body.id)).toMatchObject({ status: 'healthy', told_state: 'success' });
    expect(written.at(-1)).toMatchObject({ state: 'success', repository: { owner: 'team', name: 'told' } });
    expect(new Set(asked)).toEqual(new Set(['ada', 'bob']));
  });

  it('is not written where nothing is linked, nor for what was uploaded', async () => {
    await world.git.createRepository('one/else/open', { 'index.html': 'open' });
    const body = { name: 'Open', vcsRepoUrl: `${world.git.url}/one/else/open` };
    const created = await world.call('/api/applications/create', body, world.stranger);
    expect(await world.ended(created.body.id)).toMatchObject({ status: 'healthy', told_state: null });
    await settled();
    expect([statuses(), await hasten()]).toEqual([[], 0]);
  });
});
