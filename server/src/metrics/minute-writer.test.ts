import { expect, it, onTestFinished, vi } from 'vitest';
import { openStore, type Store } from '../db/pool.ts';
import { silentLog } from '../lib/log.ts';
import { createApplication, createOwner, productionOf } from '../testing/factories.ts';
import { createFakeClock } from '../testing/fake-clock.ts';
import { createTestStore, type TestStore } from '../testing/test-store.ts';
import { createAccessTokens } from '../modules/accounts/access-token.ts';
import { deleteMetricsOf } from './metric-store.ts';
import { MinuteBook } from './minute-book.ts';
import { minuteOf, PLATFORM } from './minute-row.ts';
import { createMinuteWriter } from './minute-writer.ts';

const visits = (requests: number) => ({ requests, bytesIn: 1, bytesOut: 1, latencies: null });

async function openWorld() {
  const store = await createTestStore();
  onTestFinished(() => store[Symbol.asyncDispose]());
  const clock = createFakeClock(new Date('2026-11-15T23:58:50Z'));
  const accessTokens = createAccessTokens({ signingKey: Buffer.alloc(32), clock });
  const { organisationId } = await createOwner({ store, clock, accessTokens });
  const { id } = await productionOf({ store }, (await createApplication({ store }, { organisationId })).id);
  return { store, clock, environmentId: id };
}

function startProcess(store: Pick<Store, 'db'>, clock: ReturnType<typeof createFakeClock>) {
  const book = new MinuteBook();
  let counted: [string, number][] = [];
  const collect = (minute: number) => {
    for (const [id, requests] of counted) book.addTraffic(minute, id, visits(requests));
    counted = [];
  };
  const writer = createMinuteWriter({ store, book, collect, clock, log: silentLog });
  return { writer, count: (id: string, requests = 1) => counted.push([id, requests]) };
}

async function requestsIn({ db }: TestStore): Promise<[string, number][]> {
  const rows = await db.selectFrom('metric_minutes').select(['environment_id', 'minute', 'requests']).execute();
  const sums = Map.groupBy(
    rows,
    ({ environment_id, minute }) => `${environment_id} ${new Date(minute * 60_000).toISOString().slice(11, 16)}`,
  );
  return [...sums]
    .map(([key, some]): [string, number] => [key, some.reduce((sum, row) => sum + Number(row.requests), 0)])
    .toSorted(([one], [other]) => (one < other ? -1 : 1));
}

it('writes a minute again and again while it lasts, for several processes and over midnight', async () => {
  const { store, clock, environmentId: id } = await openWorld();
  const [one, other] = [startProcess(store, clock), startProcess(store, clock)];
  one.count(id);
  await one.writer.flush();
  one.count(id, 2);
  other.count(id, 10);
  clock.advance(10_000);
  // This comes as the minute ends: it belongs to the one that was.
  await Promise.all([one.writer.flush(), other.writer.flush()]);
  expect(await requestsIn(store)).toEqual([[`${id} 23:58`, 13]]);
  one.count(id, 5);
  clock.advance(60_000);
  await one.writer.flush();
  one.count(id, 7);
  await one.writer.flush();
  expect(await requestsIn(store)).toEqual([
    [`${id} 00:00`, 7],
    [`${id} 23:58`, 13],
    [`${id} 23:59`, 5],
  ]);
});

it('counts nothing twice and loses nothing when a process is started again', async () => {
  const { store, clock, environmentId: id } = await openWorld();
  for (let life = 0; life < 3; life++) {
    const process = startProcess(store, clock);
    process.count(id, 4);
    await process.writer.stop();
  }
  expect(await requestsIn(store)).toEqual([[`${id} 23:58`, 12]]);
});

it('leaves out environments that are gone, and keeps the platform itself', async () => {
  const { store, clock, environmentId: id } = await openWorld();
  const process = startProcess(store, clock);
  for (const some of [id, 'env_gone', PLATFORM]) process.count(some);
  await process.writer.flush();
  expect((await requestsIn(store)).map(([key]) => key)).toEqual([` 23:58`, `${id} 23:58`]);
  await store.db.transaction().execute((tx) => deleteMetricsOf(tx, id));
  expect((await requestsIn(store)).map(([key]) => key)).toEqual([` 23:58`]);
});

it('keeps what it cannot write until the store is back', async () => {
  const { store, clock, environmentId: id } = await openWorld();
  const nowhere = openStore(
    { kind: 'url', url: 'postgres://nobody@127.0.0.1:9/nothing' },
    { max: 1, applicationName: 'test' },
  );
  const away = { db: nowhere.db };
  const process = startProcess(away, clock);
  process.count(id, 3);
  await process.writer.flush();
  clock.advance(60_000);
  process.count(id, 4);
  await process.writer.flush();
  await nowhere.close();
  away.db = store.db;
  await process.writer.flush();
  expect(await requestsIn(store)).toEqual([[`${id} 23:58`, 7]]);
  const { rows } = await store.pool.query<{ quarter: number }>('select quarter from metric_pending_quarters');
  expect(rows).toEqual([{ quarter: Math.floor(minuteOf(clock.now().getTime()) / 15) }]);
});

it('says nothing while the tables are being made, and writes what it kept once they are there', async () => {
  const { store, clock, environmentId: id } = await openWorld();
  const warn = vi.fn<() => void>();
  const book = new MinuteBook();
  const log = { ...silentLog, warn, info: warn } as unknown as typeof silentLog;
  const writer = createMinuteWriter({ store, book, clock, log });
  await store.pool.query('alter table metric_minutes rename to not_yet');
  book.addTraffic(minuteOf(clock.now().getTime()), id, visits(3));
  await writer.flush();
  await store.pool.query('alter table not_yet rename to metric_minutes');
  await writer.flush();
  expect(await requestsIn(store)).toEqual([[`${id} 23:58`, 3]]);
  expect(warn).not.toHaveBeenCalled();
});
