import { copyFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { announceCertificate, type ServedCertificate } from '../../certificates/served-certificate-store.ts';
import { migrate } from '../../db/migrate.ts';
import { openStore, type Store } from '../../db/pool.ts';
import { silentLog, type Log } from '../../lib/log.ts';
import { openKeyring } from '../../secrets/key-file.ts';
import { rotateKey } from '../../secrets/rotate-key.ts';
import { createFakeClock } from '../../testing/fake-clock.ts';
import { eventually } from '../../testing/eventually.ts';
import { createTestStore } from '../../testing/test-store.ts';
import { listenForRoutes } from '../routes/route-listener.ts';
import { CertificateContexts } from './certificate-contexts.ts';
import { createCertificateFeed } from './certificate-feed.ts';
import { readCertificateSnapshot } from './certificate-snapshot.ts';
import { CertificateTable } from './certificate-table.ts';
import { LocalLeaves } from './local-leaves.ts';
import { makeCertificate, makeFolder, makeKeyring } from './testing/make-certificate.ts';
import { createTicketKeys } from './ticket-keys.ts';

const config = {
  publicUrl: new URL('https://lilac.example.org'),
  appsDomain: 'apps.example.org',
  domains: { publicAddresses: null, dnsServers: null, dnsHook: null },
};

/** An edge that hears of changes by a connection, as the route feed has it. */
async function startEdge(
  store: Store,
  folder: string,
  { log = silentLog, ...times }: { pollMs?: number; wholeMs?: number; log?: Log } = {},
) {
  const [keyring, clock, table] = [makeKeyring(folder), createFakeClock(), new CertificateTable()];
  const tickets = createTicketKeys(clock);
  const leaves = new LocalLeaves({ keyring, tickets, clock });
  const contexts = new CertificateContexts({ keyring, tickets, log: silentLog });
  const snapshotPath = join(folder, 'certificates.json');
  const feed = createCertificateFeed({
    ...times,
    config,
    store,
    keyring,
    table,
    leaves,
    tickets,
    snapshotPath,
    clock,
    log,
  });
  const listener = listenForRoutes({ store, followers: [feed], onWake: () => {}, onConnect: () => {}, use: () => {} });
  await feed.start();
  let isStopped = false;
  const stop = async () => {
    if (isStopped) return;
    isStopped = true;
    await Promise.all([feed.stop(), listener.close()]);
  };
  return { table, tickets, leaves, contexts, stop, [Symbol.asyncDispose]: stop };
}

/** What the worker does when one was issued, or issued anew. */
async function issue(
  store: Store,
  { id, hostname, chain, sealedKey, notAfter, ocsp }: ServedCertificate,
): Promise<void> {
  const issued = { chain, private_key: sealedKey, not_after: notAfter, ocsp };
  await store.db.transaction().execute(async (tx) => {
    await tx
      .insertInto('certificates')
      .values({ id, hostname, ...issued })
      .onConflict((conflict) => conflict.column('id').doUpdateSet(issued))
      .execute();
    await announceCertificate(tx, id);
  });
}

async function isListenedTo(store: Store): Promise<boolean> {
  const { rowCount } = await store.pool.query(
    `select from pg_stat_activity where datname = current_database() and application_name like '%, listening'`,
  );
  return rowCount === 1;
}

const away = () =>
  openStore({ kind: 'url', url: 'postgresql://lilac@127.0.0.1:1/lilac' }, { max: 1, applicationName: 'none' });

describe('the certificates of an edge', () => {
  it('are all there when it starts, more than are read at once, and can be shown', async () => {
    await using store = await createTestStore();
    const folder = makeFolder();
    const one = makeCertificate(makeKeyring(folder), 'www.example.org', { ocsp: Buffer.from([0xff, 0x80]) });
    await issue(store, one);
    const { chain, sealedKey, notAfter } = one;
    const issued = { chain, private_key: sealedKey, not_after: notAfter };
    const many = Array.from({ length: 450 }, (_, n) => ({ id: `crt_${n}`, hostname: `h${n}.example.org`, ...issued }));
    await store.db.insertInto('certificates').values(many).execute();
    await using edge = await startEdge(store, folder);
    expect(edge.table.size).toBe(451);
    const held = edge.table.find('www.example.org')!;
    expect(held).toMatchObject({ id: one.id, ocsp: '\u00ff\u0080', notAfterMs: notAfter.getTime() });
    expect(edge.contexts.of(held)).not.toBeNull();
    expect(edge.table.find('h449.example.org')!.authorities).toBe(held.authorities);
  });

  it('follow what is issued, renewed and revoked of its word, without being asked', async () => {
    await using store = await createTestStore();
    const folder = makeFolder();
    const keyring = makeKeyring(folder);
    await using edge = await startEdge(store, folder, { pollMs: 600_000 });
    await eventually('the edge listens', () => isListenedTo(store));
    const first = makeCertificate(keyring, 'www.example.org');
    await issue(store, first);
    await eventually('it is there', () => edge.table.find('www.example.org') !== undefined);
    const { version } = edge.table.find('www.example.org')!;
    await issue(store, makeCertificate(keyring, 'www.example.org', { ocsp: Buffer.from([1]) }));
    await eventually('the next is there', () => edge.table.find('www.example.org')!.version > version);
    expect(edge.table.find('www.example.org')!.ocsp).toBe('\u0001');
    await store.db.updateTable('certificates').set({ chain: null }).execute();
    await store.db.transaction().execute((tx) => announceCertificate(tx, first.id));
    await eventually('it is gone', () => edge.table.find('www.example.org') === undefined);
  });

  it('are also without those whose domain was removed, once the connection was lost', async () => {
    await using store = await createTestStore();
    const folder = makeFolder();
    const keyring = makeKeyring(folder);
    for (const name of ['a.example.org', 'b.example.org']) await issue(store, makeCertificate(keyring, name));
    await using edge = await startEdge(store, folder);
    await eventually('the edge listens', () => isListenedTo(store));
    await store.db.deleteFrom('certificates').where('hostname', '=', 'a.example.org').execute();
    await store.pool.query(`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name like '%, listening'`);
    await eventually('it is gone', () => edge.table.find('a.example.org') === undefined);
    expect(edge.table.find('b.example.org')).toBeDefined();
  });

  it('are found without being told, and so is that one is gone', async () => {
    await using store = await createTestStore();
    const folder = makeFolder();
    const keyring = makeKeyring(folder);
    await using edge = await startEdge(store, folder, { pollMs: 20, wholeMs: 40 });
    const { id, hostname, chain, sealedKey, notAfter } = makeCertificate(keyring, 'www.example.org');
    const issued = { chain, private_key: sealedKey, not_after: notAfter };
    await store.db
      .insertInto('certificates')
      .values({ id, hostname, ...issued })
      .execute();
    await eventually('it is there', () => edge.table.find(hostname) !== undefined);
    await store.db.deleteFrom('certificates').execute();
    await eventually('it is gone', () => edge.table.size === 0);
    expect(edge.leaves.stored).not.toBeNull();
  });

  it('share the local authority and what sessions are sealed with among all edges', async () => {
    await using store = await createTestStore();
    const folder = makeFolder();
    makeKeyring(folder);
    const [one, two] = await Promise.all([startEdge(store, folder), startEdge(store, folder)]);
    expect(one.leaves.stored?.certificate).toBeDefined();
    expect(two.leaves.stored?.certificate).toBe(one.leaves.stored?.certificate);
    expect(two.tickets.current()).toEqual(one.tickets.current());
    await Promise.all([one.stop(), two.stop()]);
  });

  it('can be shown after the key of the platform was rotated', async () => {
    await using store = await createTestStore();
    const folder = makeFolder();
    const keyFile = join(folder, 'keyring.json');
    await issue(store, makeCertificate(makeKeyring(folder), 'www.example.org'));
    await using edge = await startEdge(store, folder);
    await rotateKey({ store, keyFile, clock: createFakeClock() });
    expect(edge.contexts.of(edge.table.find('www.example.org')!)).not.toBeNull();
    await using another = await startEdge(store, folder);
    expect(another.contexts.of(another.table.find('www.example.org')!)).not.toBeNull();
  });
});

it('certificates are shown, and it is said once, where the authority was sealed by another installation', async () => {
  await using store = await createTestStore();
  await (await startEdge(store, makeFolder())).stop();
  const errors: unknown[] = [];
  const log = { ...silentLog, error: (fields: { reason: string }) => errors.push(fields.reason) } as unknown as Log;
  const folder = makeFolder();
  await issue(store, makeCertificate(makeKeyring(folder), 'www.example.org'));
  await using edge = await startEdge(store, folder, { log });
  expect(edge.contexts.of(edge.table.find('www.example.org')!)).not.toBeNull();
  expect(edge.leaves.contextFor(['localhost'])).toBeNull();
  expect(errors).toEqual([expect.stringContaining('Put back the key file')]);
});

describe('without the store', () => {
  it('an edge starts with what it had, to the last of it', async () => {
    await using store = await createTestStore();
    const folder = makeFolder();
    const certificate = makeCertificate(makeKeyring(folder), 'www.example.org', { ocsp: Buffer.from([0xff, 0x80]) });
    await issue(store, certificate);
    const before = await startEdge(store, folder);
    await before.stop();
    const none = away();
    await using edge = await startEdge(none, folder);
    const held = edge.table.find('www.example.org')!;
    expect(held).toEqual(before.table.find('www.example.org'));
    expect(edge.contexts.of(held)).not.toBeNull();
    expect(edge.leaves.contextFor(['localhost'])).not.toBeNull();
    expect(edge.tickets.current()).toEqual(before.tickets.current());
    await edge.stop();
    await none.close();
  });

  it('an edge that never had anything shows nothing, and all when the store is there', async () => {
    await using store = await createTestStore({ migrated: false });
    await using edge = await startEdge(store, makeFolder());
    expect(edge.leaves.contextFor(['localhost'])).toBeNull();
    expect(edge.table.size).toBe(0);
    await migrate(store.db);
    await eventually('the authority is there', () => edge.leaves.contextFor(['localhost']) !== null);
  });
});

describe('the snapshot', () => {
  it('is for nobody else to read, and holds no key that is not sealed', async () => {
    await using store = await createTestStore();
    const folder = makeFolder();
    const keyring = makeKeyring(folder);
    const certificate = makeCertificate(keyring, 'www.example.org');
    await issue(store, certificate);
    await (await startEdge(store, folder)).stop();
    const path = join(folder, 'certificates.json');
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const snapshot = await readCertificateSnapshot(path);
    expect(snapshot?.certificates).toHaveLength(1);
    expect(snapshot?.certificates[0]!.sealedKey).toBe(certificate.sealedKey);
    expect(JSON.stringify(snapshot)).not.toContain('PRIVATE KEY');
  });

  it.each(['', '{', '{"format":2,"count":0}', '{"format":1,"count":3}'])('that holds %j is none', async (text) => {
    const folder = makeFolder();
    const path = join(folder, 'certificates.json');
    writeFileSync(path, text);
    expect(await readCertificateSnapshot(path)).toBeNull();
  });

  it('whose keys do not open here leaves the edge with its names, and harms nobody', async () => {
    await using store = await createTestStore();
    const folder = makeFolder();
    await issue(store, makeCertificate(makeKeyring(folder), 'www.example.org'));
    await (await startEdge(store, folder)).stop();
    const elsewhere = makeFolder();
    openKeyring(join(elsewhere, 'keyring.json'));
    copyFileSync(join(folder, 'certificates.json'), join(elsewhere, 'certificates.json'));
    const none = away();
    await using edge = await startEdge(none, elsewhere);
    expect(edge.contexts.of(edge.table.find('www.example.org')!)).toBeNull();
    expect(edge.leaves.contextFor(['localhost'])).toBeNull();
    await edge.stop();
    await none.close();
  });
});
