import { X509Certificate } from 'node:crypto';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { writeHttpsLack } from '../certificates/https-lack-file.ts';
import { newPrivateKey } from '../certificates/new-private-key.ts';
import { openAuthorityBench } from '../certificates/testing/authority-bench.ts';
import { pathsOf } from '../config.ts';
import { tryLock } from '../lib/file-lock.ts';
import { newId } from '../lib/ids.ts';
import { openKeyring } from '../secrets/key-file.ts';
import { openOperatorBench, type OperatorBench } from '../testing/operator-bench.ts';

async function open() {
  const bench = await openOperatorBench();
  await bench.createOwner();
  return bench;
}

const insert = ({ store }: OperatorBench, values: object) =>
  store.db
    .insertInto('certificates')
    .values({ id: newId('crt'), hostname: 'hub.example.org', ...values })
    .execute();

const jobs = async ({ store }: OperatorBench) =>
  (await store.pool.query("select payload from jobs where kind = 'certificates.order'")).rows;

describe('lilac admin certificates', () => {
  it('lists what there is, and what is wrong with it, never a key', async () => {
    await using bench = await open();
    expect((await bench.lilac(['admin', 'certificates', 'list'])).out).toBe('There are no certificates.\n');
    await insert(bench, { status: 'failed', error: 'It was\x1b[2J refused.', private_key: 'v1.secret' });
    const { out } = await bench.lilac(['admin', 'certificates', 'list']);
    expect(out).toMatch(/^NAME +ORGANISATION +STATUS/);
    expect(out).toMatch(/\nhub\.example\.org +the platform +failed +- +- +-\n\nhub\.example\.org: It was refused\.\n$/);
    const { out: json } = await bench.lilac(['admin', 'certificates', 'list', '--json']);
    expect(JSON.parse(json)).toMatchObject({ certificates: [{ hostname: 'hub.example.org', status: 'failed' }] });
    expect(json).not.toContain('secret');
  });

  it('prints a root that signs for itself, the same every time', async () => {
    await using bench = await open();
    const first = await bench.lilac(['admin', 'certificates', 'root']);
    const root = new X509Certificate(first.out);
    expect([root.ca, root.verify(root.publicKey)]).toEqual([true, true]);
    expect((await bench.lilac(['admin', 'certificates', 'root'])).out).toBe(first.out);
  });

  it('has one renewed, unless its limit is reached or there is none', async () => {
    await using bench = await open();
    const unknown = await bench.lilac(['admin', 'certificates', 'renew', 'www.example.org']);
    expect([unknown.exitCode, unknown.err]).toEqual([
      1,
      expect.stringContaining('There is no certificate for www.example.org.'),
    ]);
    await insert(bench, { status: 'failed', error: 'No.', next_try_at: new Date(Date.now() + 3_600_000) });
    const renewed = await bench.lilac(['admin', 'certificates', 'renew', 'Hub.example.org']);
    expect(renewed.out).toMatch(/^Another certificate for hub\.example\.org is ordered when the platform runs\./);
    expect(await jobs(bench)).toHaveLength(1);
    const later = new Date('2099-01-01T10:00:00Z');
    const row = () => bench.store.db.selectFrom('certificates').selectAll().executeTakeFirstOrThrow();
    // The platform's own limit is the operator's to lift.
    await bench.store.db.updateTable('certificates').set({ waits_until: later, error: 'Too many.' }).execute();
    const lifted = await bench.lilac(['admin', 'certificates', 'renew', 'hub.example.org']);
    expect(lifted.out).toContain('is ordered when the platform runs');
    expect(await row()).toMatchObject({ waits_until: null, skips_budget: true, error: null });
    await bench.store.db.updateTable('certificates').set({ limited_until: later, error: 'Its limit.' }).execute();
    const limited = await bench.lilac(['admin', 'certificates', 'renew', 'hub.example.org']);
    expect(limited.out).toContain('not before 2099-01-01 10:00Z');
    expect(await row()).toMatchObject({ limited_until: later, error: 'Its limit.' });
  });

  it('says truly when one is ordered that is not now, and asks again where that is wished', async () => {
    await using bench = await open();
    const LILAC_ACME_DIRECTORY = 'https://authority.example/directory';
    const lilac = async (line: string, more: Record<string, string> = {}) => {
      const words = ['admin', 'certificates', ...line.split(' ')];
      return (await bench.lilac(words, { environment: { LILAC_ACME_DIRECTORY, ...more } })).out;
    };
    const until = new Date('2099-01-01T10:00:00Z');
    await insert(bench, { limited_until: until, next_try_at: until });
    const account = { id: 'acm_1', directory_url: LILAC_ACME_DIRECTORY, account_key: 'sealed', paused_until: until };
    await bench.store.db.insertInto('acme_accounts').values(account).execute();
    expect(await lilac('list')).toMatch(
      /takes no orders of this platform: .* on 2099-01-01 .* certificates resume\.\n$/,
    );
    await bench.store.db.updateTable('certificates').set({ limited_until: null }).execute();
    expect(await lilac('renew hub.example.org')).toMatch(/not before 2099-01-01 10:00Z: .*certificates resume/);
    expect(await lilac('renew hub.example.org', { LILAC_TLS_PORT: 'off' })).toContain(
      'once LILAC_TLS_PORT is no longer off',
    );
    const { httpsLack, supervisorLock } = pathsOf({ home: bench.home });
    writeHttpsLack(httpsLack, 'Port 7443 is in use by another program.');
    expect(await lilac('renew hub.example.org')).not.toContain('in use');
    const release = tryLock(supervisorLock);
    expect(await lilac('renew hub.example.org')).toMatch(/once the platform .*serves https, .* is in use by another/);
    release();
    writeHttpsLack(httpsLack, null);
    expect(await lilac('renew hub.example.org', { LILAC_ACME_DIRECTORY: 'off' })).toContain(
      'once LILAC_ACME_DIRECTORY',
    );
    await bench.store.db.updateTable('certificates').set({ limited_until: until }).execute();
    expect(await lilac('resume')).toMatch(
      /asked again.* What waited, one certificate, is ordered when the platform runs\./,
    );
    expect(await bench.store.db.selectFrom('acme_accounts').select('paused_until').execute()).toEqual([
      { paused_until: null },
    ]);
    expect(JSON.parse(await lilac('resume --json'))).toEqual({ waited: 0 });
    expect(await lilac('renew hub.example.org')).toContain('is ordered when the platform runs');
  });

  it('tells one that is kept for a domain that is gone from those in use, and renews it not', async () => {
    await using bench = await open();
    const { id } = await bench.store.db.selectFrom('organisations').select('id').executeTakeFirstOrThrow();
    await insert(bench, { kept_for: id, chain: 'a chain', status: 'issued', not_after: new Date('2099-01-01T10:00Z') });
    const { out } = await bench.lilac(['admin', 'certificates', 'list']);
    expect(out).toMatch(/\nhub\.example\.org .* kept +- +2099-01-01 10:00Z +-\n$/);
    const renewed = await bench.lilac(['admin', 'certificates', 'renew', 'hub.example.org']);
    expect([renewed.exitCode, renewed.err]).toEqual([1, expect.stringContaining('hub.example.org was taken away')]);
    expect(await jobs(bench)).toEqual([]);
  });

  it('has one revoked at the authority it came from, and another ordered', async () => {
    await using bench = await open();
    const keyring = openKeyring(join(bench.home, 'secrets', 'keyring.json'));
    await using authority = await openAuthorityBench(bench.store, { keyring });
    const environment = {
      LILAC_ACME_DIRECTORY: authority.gate.directoryUrl,
      LILAC_ACME_CA_FILE: authority.pebble.caFile,
    };
    await insert(bench, {});
    const revoke = () => bench.lilac(['admin', 'certificates', 'revoke', 'hub.example.org'], { environment });
    expect((await revoke()).err).toContain('There is no certificate for hub.example.org yet.');
    await authority.point('hub.example.org');
    const chain = await authority.authority.issue({
      hostnames: ['hub.example.org'],
      privateKey: newPrivateKey(),
      answers: authority.answers(),
      orderUrl: null,
      onOrder: async () => {},
      signal: AbortSignal.timeout(30_000),
    });
    await bench.store.db.updateTable('certificates').set({ chain, status: 'issued' }).execute();
    const revoked = await revoke();
    expect([revoked.exitCode, revoked.err]).toEqual([0, '']);
    expect(revoked.out).toMatch(
      /^The authority has declared .* void\. It is shown until another .* place\. Another .* is ordered when the platform runs\.\n$/,
    );
    expect(await authority.pebble.statusOf(new X509Certificate(chain).serialNumber)).toBe('Revoked');
    expect(await jobs(bench)).toHaveLength(1);
    await authority.pebble.stop();
    const away = await revoke();
    expect([away.exitCode, away.err]).toEqual([1, expect.stringMatching(/does not answer: [^]*Nothing was changed: /)]);
    expect(await bench.store.db.selectFrom('certificates').select(['is_revoked', 'status']).execute()).toEqual([
      { is_revoked: true, status: 'renewing' },
    ]);
  });
});
