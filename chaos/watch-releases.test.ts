import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createRecord, type PlaceRecord } from '../server/src/engines/host/place-record.ts';
import { ReleaseHistory } from './release-history.ts';
import type { Scene, Subject } from './scene.ts';
import { watchReleases } from './watch-releases.ts';

const at = (ms: number) => new Date(performance.timeOrigin + ms).toISOString();

function listed(id: string, change: object = {}) {
  return {
    id,
    is_live: false,
    status: 'healthy',
    error: null,
    started_at: at(1000),
    completed_at: at(2000),
    ...change,
  };
}

function open(list: () => object[]) {
  const home = mkdtempSync(join(tmpdir(), 'lilac-watch-'));
  const history = new ReleaseHistory();
  for (const name of ['one', 'two']) history.ask(name).acknowledged(`dep_${name}`);
  const scene = {
    handle: { home },
    deployer: { client: { call: async () => list() }, targetOrganisationId: 'org_1' },
    events: { tell: () => {}, about: () => [] },
  } as unknown as Scene;
  const watch = watchReleases(scene, [{ part: 'site', environmentId: 'env_1', history } as Subject]);
  const close = async () => {
    await watch.stop();
    rmSync(home, { recursive: true });
  };
  return { home, history, watch, [Symbol.asyncDispose]: close };
}

it('what the platform says is live is shown from then on', async () => {
  await using opened = open(() => [listed('dep_two', { is_live: true }), listed('dep_one')]);
  await opened.watch.look();
  expect(opened.history.mayShow('one', performance.now())).toBe(false);
  expect(opened.history.mayShow('two', performance.now())).toBe(true);
});

it('a deployment that failed is remembered once, though it is not listed for ever', async () => {
  let rows = [listed('dep_three', { status: 'failed', error: 'no reason' }), listed('dep_two')];
  await using opened = open(() => rows);
  await opened.watch.look();
  await opened.watch.look();
  rows = [];
  await opened.watch.look();
  expect(opened.watch.failed()).toMatchObject([{ id: 'dep_three', part: 'site', error: 'no reason' }]);
  const [{ startedAt, endedAt } = { startedAt: 0, endedAt: 0 }] = opened.watch.failed();
  // Times of the platform have whole milliseconds.
  expect([startedAt, endedAt].map((ms) => Math.round(ms / 10))).toEqual([100, 200]);
});

it('every deployment is remembered as it was seen last, though it is not listed for ever', async () => {
  let rows = [listed('dep_one', { status: 'building' })];
  await using opened = open(() => rows);
  await opened.watch.look();
  rows = [listed('dep_two'), listed('dep_one', { status: 'cancelled' })];
  await opened.watch.look();
  rows = [listed('dep_two')];
  await opened.watch.look();
  expect(Object.fromEntries(opened.watch.seenIn('env_1'))).toEqual({ dep_one: 'cancelled', dep_two: 'healthy' });
});

it('the users of databases are remembered when these are gone', async () => {
  await using opened = open(() => []);
  const root = join(opened.home, 'databases');
  createRecord(root, { serverId: 'dbs_1', uid: 60_601 } as PlaceRecord);
  await opened.watch.look();
  rmSync(root, { recursive: true });
  await opened.watch.look();
  expect([...opened.watch.databaseUsers()]).toEqual([60_601]);
});
