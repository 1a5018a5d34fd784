import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DeploymentRow } from '../../db/schema.ts';
import { createApiKey, createDeployment, createOwner } from '../../testing/factories.ts';
import { eventually } from '../../testing/eventually.ts';
import type { OpenedStream, StreamCall } from '../../testing/open-stream.ts';
import { startStreaming } from '../../testing/start-streaming.ts';
import { finishDeployment, updateDeployment } from './deployment-store.ts';
import { followDeployment } from './follow-deployment.ts';
import { appendLines } from './log-store.ts';

let api: Awaited<ReturnType<typeof startStreaming>>;
beforeAll(async () => {
  api = await startStreaming();
});
afterAll(() => api[Symbol.asyncDispose]());

const pathOf = ({ id }: { id: string }, query = '') => `/api/deployments/${api.organisationId}/${id}/stream${query}`;
const open = (deployment: DeploymentRow, call: Partial<StreamCall> & { query?: string } = {}) =>
  api.open({ path: pathOf(deployment, call.query), ...call });
const begun = () => createDeployment(api, api.environment, { status: 'building', stage: 'fetching' });
const append = (deployment: DeploymentRow, ...lines: string[]) => appendLines(api.store.db, deployment.id, lines);
const enter = (deployment: DeploymentRow, stage: DeploymentRow['stage']) =>
  api.store.db.transaction().execute((tx) => updateDeployment(tx, deployment.id, { stage }));

interface Event {
  event: string;
  line?: number;
  text?: string;
  status?: string;
  at?: string;
}
const seen = ({ events }: Pick<OpenedStream, 'events'>): Event[] =>
  events.map(({ event, data }) => ({ event, ...(JSON.parse(data) as object) }));
const textsOf = (stream: OpenedStream) => seen(stream).flatMap(({ text }) => text ?? []);

const listeners = async () => {
  const { rows } = await api.store.pool.query(
    `select pid from pg_stat_activity where datname = current_database() and query = 'listen lilac_deployments'`,
  );
  return rows.length;
};

/** A build that failed, with a log of three chunks. */
async function failed(): Promise<DeploymentRow> {
  const deployment = await begun();
  await append(deployment, 'a', 'b', 'c');
  await append(deployment, 'd');
  await append(deployment, 'e', 'f');
  await api.store.db
    .transaction()
    .execute((tx) => finishDeployment(tx, deployment.id, { status: 'failed', error: 'It did not build.' }));
  return deployment;
}

describe('the stream of a deployment', () => {
  it('tells every line and every stage as they come, then how it ended, and ends', async () => {
    const deployment = await begun();
    await append(deployment, 'first');
    using stream = await open(deployment);
    expect(stream.status).toBe(200);
    await stream.has(2);
    expect(seen(stream)).toMatchObject([
      { event: 'status', status: 'building', deployment_stage: 'fetching' },
      { event: 'log', line: 0, text: 'first' },
    ]);
    await enter(deployment, 'installing');
    await stream.has(3);
    await append(deployment, 'second\nstill the second', 'third');
    await stream.has(5);
    await api.store.db.transaction().execute(async (tx) => {
      await finishDeployment(tx, deployment.id, { status: 'failed', error: 'It did not build.' });
      await appendLines(tx, deployment.id, ['==> It did not build.']);
    });
    await stream.ended();
    const told = seen(stream);
    const anyTime = expect.any(String) as string;
    expect(told.slice(2)).toEqual([
      { event: 'status', status: 'building', deployment_stage: 'installing', is_live: false, at: anyTime },
      { event: 'log', line: 1, text: 'second\nstill the second' },
      { event: 'log', line: 2, text: 'third' },
      { event: 'log', line: 3, text: '==> It did not build.' },
      { event: 'status', status: 'failed', deployment_stage: 'installing', is_live: false, at: anyTime },
      { event: 'done', status: 'failed', error: 'It did not build.' },
    ]);
    const times = told.flatMap(({ at }) => at ?? []);
    expect(times).toEqual(times.toSorted());
  });

  it('says of one that is good whether it is what is served', async () => {
    const [served, setAside] = [
      await createDeployment(api, api.environment),
      await createDeployment(api, api.environment),
    ];
    const serve = (id: string | null) =>
      api.store.pool.query('update environments set live_deployment_id = $1 where id = $2', [id, api.environment.id]);
    await serve(served.id);
    for (const [deployment, is_live] of [
      [served, true],
      [setAside, false],
    ] as const) {
      using stream = await open(deployment);
      await stream.ended();
      expect(seen(stream)).toMatchObject([{ event: 'status', status: 'healthy', is_live }, { event: 'done' }]);
    }
    await serve(null);
  });

  it('goes on after any event of it, with no gap and nothing twice', async () => {
    const deployment = await failed();
    using whole = await open(deployment);
    await whole.ended();
    const events = [...whole.events];
    expect(seen({ events }).map(({ event }) => event)).toEqual([...Array<string>(6).fill('log'), 'status', 'done']);
    for (const [index, { id }] of events.slice(0, -1).entries()) {
      using rest = await open(deployment, { lastEventId: id, query: '?from=4' });
      await rest.ended();
      expect(rest.events).toEqual(events.slice(index + 1));
    }
    for (const lastEventId of ['7', '-1', '1e3', '99999999999', '2-', 'nonsense', '2-healthy-released-1']) {
      using anew = await open(deployment, { lastEventId });
      await anew.ended();
      expect(anew.events).toEqual(events);
    }
  });

  it('goes on while it is under way, and tells a status again only when it is another', async () => {
    const deployment = await begun();
    await append(deployment, 'first');
    using before = await open(deployment);
    await before.has(2);
    before.close();
    const lastEventId = before.lastEventId();
    using after = await open(deployment, { lastEventId });
    await eventually('it says where it is', () => after.lastEventId() === lastEventId);
    await append(deployment, 'second');
    await after.has(1);
    await enter(deployment, 'building');
    await after.has(2);
    expect(seen(after)).toMatchObject([
      { event: 'log', line: 1, text: 'second' },
      { event: 'status', deployment_stage: 'building' },
    ]);
  });

  it('begins with the line that is asked for', async () => {
    const deployment = await failed();
    for (const [from, lines] of [
      ['4', [4, 5]],
      ['3.9', [3, 4, 5]],
      ['-2', [4, 5]],
      ['-100', [0, 1, 2, 3, 4, 5]],
      ['6', []],
      ['1e300', []],
    ] as const) {
      using stream = await open(deployment, { query: `?from=${from}` });
      await stream.ended();
      expect(seen(stream).flatMap(({ line }) => line ?? [])).toEqual(lines);
      expect(seen(stream).at(-1)).toMatchObject({ event: 'done', status: 'failed' });
    }
  });

  it('reads a long log piece by piece, as fast as it is taken', async () => {
    const deployment = await createDeployment(api, api.environment);
    await api.store.pool.query(
      `insert into deployment_log_chunks (deployment_id, number, lines, end_line)
       select $1, chunk, array(select 'line ' || n from generate_series(chunk * 200, chunk * 200 + 199) n),
         chunk * 200 + 200
       from generate_series(0, 99) chunk`,
      [deployment.id],
    );
    const { signal } = new AbortController();
    const unheard = { follow: () => ({ [Symbol.dispose]() {} }) };
    const follow = { deployment, from: 0, lastEventId: null, signal };
    const batches = [];
    for await (const batch of followDeployment({ db: api.store.db, changes: unheard }, follow)) batches.push(batch);
    expect(Math.max(...batches.map(({ length }) => length))).toBeLessThan(5000);
    using stream = await open(deployment);
    await stream.ended();
    const told = seen(stream);
    expect(told).toHaveLength(20_002);
    expect(told.slice(0, 20_000).every(({ text }, line) => text === `line ${line}`)).toBe(true);
    expect(told.at(-1)).toEqual({ event: 'done', status: 'healthy', error: null });
  });

  it('hears of changes on one connection to the store, which is there only while somebody follows one that moves', async () => {
    await eventually('nobody listens', async () => (await listeners()) === 0);
    const deployment = await begun();
    const streams = await Promise.all([open(deployment), open(deployment)]);
    await eventually('one listens', async () => (await listeners()) === 1);
    await append(deployment, 'a line');
    for (const stream of streams) await eventually('it is told', () => textsOf(stream).length === 1);
    expect(await listeners()).toBe(1);
    for (const stream of streams) stream.close();
    await eventually('nobody listens any more', async () => (await listeners()) === 0);
  });

  it('ends without a word when the deployment is gone', async () => {
    const deployment = await begun();
    using stream = await open(deployment);
    await stream.has(1);
    await api.store.pool.query('delete from deployments where id = $1', [deployment.id]);
    await stream.ended();
    expect(stream.events).toHaveLength(1);
  });

  it('takes a key of the organisation, and refuses whoever may not read it', async () => {
    const deployment = await failed();
    const key = await createApiKey(api, { organisationId: api.organisationId });
    using own = await open(deployment, {
      token: key.secret,
      path: pathOf(deployment).replace(api.organisationId, '-'),
    });
    await own.ended();
    expect(own.status).toBe(200);
    const stranger = await createOwner(api);
    const tries: [Partial<StreamCall> & { query?: string }, number][] = [
      [{ token: undefined }, 401],
      [{ token: stranger.token }, 403],
      [{ token: stranger.token, path: pathOf(deployment).replace(api.organisationId, stranger.organisationId) }, 404],
      [{ path: pathOf({ id: 'dep_nowhere' }) }, 404],
      [{ query: '?from=many' }, 400],
    ];
    for (const [call, status] of tries) {
      using stream = await open(deployment, call);
      expect(stream.status).toBe(status);
    }
  });
});
