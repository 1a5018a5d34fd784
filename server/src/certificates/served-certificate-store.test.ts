import { sql } from 'kysely';
import { expect, it } from 'vitest';
import type { Tx } from '../db/pool.ts';
import { eventually } from '../testing/eventually.ts';
import { createTestStore, type TestStore } from '../testing/test-store.ts';
import { announceCertificate, CERTIFICATES_CHANNEL, readServedCertificates } from './served-certificate-store.ts';

async function issue(tx: Tx, id: string, chain: string | null = 'PEM'): Promise<void> {
  const issued = {
    chain,
    private_key: 'v1.sealed',
    not_after: new Date('2027-01-01T00:00:00Z'),
    ocsp: Buffer.from([1]),
  };
  await tx
    .insertInto('certificates')
    .values({ id, hostname: `${id}.example.org`, ...issued })
    .execute();
  await announceCertificate(tx, id);
}

const inTx = ({ db }: TestStore, work: (tx: Tx) => Promise<void>) => db.transaction().execute(work);

async function waitingFor({ db }: TestStore): Promise<number> {
  const { rows } = await sql<{ n: string }>`
    select count(*) as n from pg_locks where locktype = 'advisory' and not granted
      and database = (select oid from pg_database where datname = current_database())`.execute(db);
  return Number(rows[0]!.n);
}

it('what is announced later is seen later, though it was there before', async () => {
  await using store = await createTestStore();
  const [isIssued, mayEnd] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const slow = inTx(store, async (tx) => {
    await issue(tx, 'slow');
    isIssued.resolve();
    await mayEnd.promise;
  });
  await isIssued.promise;
  const quick = inTx(store, (tx) => issue(tx, 'quick'));
  await eventually('the second waits', async () => (await waitingFor(store)) === 1);
  expect(await readServedCertificates(store.db, 0)).toEqual([]);
  mayEnd.resolve();
  await Promise.all([slow, quick]);
  const [first, second, ...none] = await readServedCertificates(store.db, 0);
  expect([first?.id, second?.id, none.length]).toEqual(['slow', 'quick', 0]);
  expect(await readServedCertificates(store.db, first!.version)).toEqual([second]);
  await inTx(store, (tx) => announceCertificate(tx, 'slow'));
  expect(await readServedCertificates(store.db, second!.version)).toMatchObject([{ id: 'slow' }]);
});

const namesOf = (id: string) => ({ id, hostname: `${id}.example.org`, version: expect.any(Number) as number });

it('has all that is needed to show it, and says so where there is nothing to be shown', async () => {
  await using store = await createTestStore();
  await inTx(store, (tx) => issue(tx, 'one'));
  await inTx(store, (tx) => issue(tx, 'two', null));
  const [one, two] = await readServedCertificates(store.db, 0);
  const notAfter = new Date('2027-01-01T00:00:00Z');
  expect(one).toEqual({ ...namesOf('one'), chain: 'PEM', sealedKey: 'v1.sealed', notAfter, ocsp: Buffer.from([1]) });
  expect(two).toEqual({ ...namesOf('two'), chain: null });
});

it('is told to who listens when it is committed', async () => {
  await using store = await createTestStore();
  const client = store.newClient();
  await client.connect();
  const heard: string[] = [];
  client.on('notification', ({ payload }) => heard.push(payload!));
  await client.query(`listen ${CERTIFICATES_CHANNEL}`);
  await inTx(store, (tx) => issue(tx, 'one'));
  await eventually('it is heard', () => heard.length === 1);
  const [one] = await readServedCertificates(store.db, 0);
  expect(heard).toEqual([String(one!.version)]);
  await client.end();
});
