import { X509Certificate } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { CERTIFICATES_CHANNEL, readServedCertificates } from '../../certificates/served-certificate-store.ts';
import { eventually } from '../../testing/eventually.ts';
import { createOwner } from '../../testing/factories.ts';
import { orderLimits } from './order-budget.ts';
import { openCertificateWorld, type CertificateWorld } from './testing/certificate-world.ts';
import { watchCertificates } from './watch-certificates.ts';

/**
 * Each with an authority and a clock of its own, since some move the clock; what it is asked is counted, so once has to
 * do.
 */
async function open() {
  const world = await openCertificateWorld({ validitySeconds: 3600, reusesProofs: 0, rejectsNonces: 0 });
  const worker = await world.work();
  return {
    ...world,
    worker,
    newOrders: () => world.bench.gate.requests.filter((path) => path === '/order-plz').length,
    async issued() {
      const domain = await world.addDomain();
      await world.ensure(domain);
      return { domain, row: await world.until(domain, 'is issued', ({ status }) => status === 'issued') };
    },
  };
}

describe('a certificate', () => {
  it('is got with no person in between, sealed, told of and announced', async () => {
    await using world = await open();
    const listener = world.api.store.newClient();
    await listener.connect();
    const announced: string[] = [];
    listener.on('notification', ({ payload }) => void announced.push(payload ?? ''));
    await listener.query(`listen ${CERTIFICATES_CHANNEL}`);
    const { domain, row } = await world.issued();
    expect(row).toMatchObject({
      domain_id: domain.domainId,
      private_key: expect.stringMatching(/^v1\./),
      issuer: expect.stringMatching(/^Pebble Intermediate CA/),
      is_revoked: false,
      order_url: null,
      order_key: null,
      tries: 0,
      error: null,
      next_try_at: null,
    });
    expect(new X509Certificate(row.chain!).subjectAltName).toBe(`DNS:${domain.hostname}`);
    expect(row.renew_at!.getTime()).toBeGreaterThan(row.not_before!.getTime() + 2300_000);
    await eventually('it is announced', () => announced.includes(row.version));
    expect(await world.actionsOf(domain)).toEqual(['certificate_issued']);
    expect(await world.logOf(domain)).toEqual([
      expect.stringContaining(`certificate for ${domain.hostname} was issued`),
    ]);
    const orders = world.newOrders();
    await world.ensure(domain);
    await world.retry(domain);
    await world.watchAt(new Date());
    expect(world.newOrders()).toBe(orders);
    expect(await world.api.store.db.selectFrom('acme_challenges').selectAll().execute()).toEqual([]);
    await listener.end();
  });

  it('fails in plain words while its name leads elsewhere, and comes by a retry when it does not any more', async () => {
    await using world = await open();
    const domain = await world.addDomain({ leadsHere: false });
    await world.ensure(domain);
    const failed = await world.until(domain, 'fails', ({ status }) => status === 'failed');
    expect(failed).toMatchObject({
      tries: 1,
      error: expect.stringContaining(`could not reach http://${domain.hostname}/`),
    });
    expect(failed.next_try_at!.getTime() - world.deps.clock.now().getTime()).toBe(60_000);
    await world.retry(domain);
    await world.until(domain, 'fails again', ({ status, error }) => status === 'failed' && error !== null);
    expect(await world.actionsOf(domain)).toEqual(['certificate_failed', 'certificate_failed']);
    // By itself it tries in vain without a further word.
    await world.watchAt((await world.row(domain)).next_try_at!);
    await world.until(domain, 'has failed twice', ({ tries }) => tries === 2);
    expect(await world.actionsOf(domain)).toHaveLength(2);
    await world.bench.point(domain.hostname);
    await world.retry(domain);
    await world.until(domain, 'is issued', ({ status }) => status === 'issued');
    expect((await world.actionsOf(domain)).at(-1)).toBe('certificate_issued');
  });

  it('is tried once more where somebody wishes it while an attempt is still going wrong', async () => {
    await using world = await open();
    const domain = await world.addDomain({ leadsHere: false });
    await world.ensure(domain);
    await world.until(domain, 'fails', ({ status }) => status === 'failed');
    const held = Promise.withResolvers<void>();
    const reached = Promise.withResolvers<void>();
    world.bench.gate.before(async (path) => {
      if (path !== '/authZ') return;
      reached.resolve();
      await held.promise;
    });
    await world.watchAt((await world.row(domain)).next_try_at!);
    await reached.promise;
    // For this attempt the record comes too late.
    const proofs = world.bench.gate.requests.filter((path) => path === '/chalZ').length;
    await world.retry(domain);
    world.bench.gate.before(async (path) => {
      const isNext = world.bench.gate.requests.filter((each) => each === '/chalZ').length > proofs + 1;
      if (path === '/chalZ' && isNext) await world.bench.point(domain.hostname);
    });
    held.resolve();
    const row = await world.until(domain, 'is issued', ({ status }) => status === 'issued');
    expect(row).toMatchObject({ tries: 0, error: null });
  });

  it('waits for an authority that is away, and is got when it is back', async () => {
    await using world = await open();
    const domain = await world.addDomain();
    await world.bench.pebble.stop();
    await world.ensure(domain);
    const waiting = await world.until(domain, 'waits', ({ unreached }) => unreached === 1);
    expect(waiting.next_try_at!.getTime() - world.deps.clock.now().getTime()).toBeLessThanOrEqual(36_000);
    expect(waiting).toMatchObject({
      status: 'provisioning',
      error: expect.stringMatching(
        /^The certificate authority does not answer: the connection broke off\. It is tried again on .* UTC\.$/,
      ),
    });
    for (const unreached of [2, 3, 4]) {
      await world.watchAt((await world.row(domain)).next_try_at!);
      await world.until(domain, 'waits longer', (row) => row.unreached === unreached);
    }
    expect((await world.row(domain)).status).toBe('failed');
    expect(await world.actionsOf(domain)).toEqual(['certificate_failed']);
    await world.bench.pebble.start();
    await world.watchAt((await world.row(domain)).next_try_at!);
    await world.until(domain, 'is issued', ({ status }) => status === 'issued');
  });

  it("honours the authority's limit, whoever wants it tried", async () => {
    await using world = await open();
    const domain = await world.addDomain();
    const retryAt = new Date(Math.ceil(world.deps.clock.now().getTime() / 1000) * 1000 + 3600_000);
    const problem = { type: 'rateLimited', detail: `too many certificates for ${domain.hostname}` };
    const headers = { 'retry-after': retryAt.toUTCString() };
    world.bench.gate.intercept((path) => (path === '/order-plz' ? { status: 429, headers, problem } : null));
    await world.ensure(domain);
    const limited = await world.until(domain, 'is limited', ({ limited_until }) => limited_until !== null);
    expect(limited).toMatchObject({ limited_until: retryAt, next_try_at: retryAt, status: 'failed' });
    expect(limited.error).toContain('A limit of the certificate authority is reached.');
    world.bench.gate.intercept(null);
    const orders = world.newOrders();
    await world.retry(domain);
    await world.watchAt(new Date(retryAt.getTime() - 60_000));
    expect([world.newOrders(), (await world.row(domain)).error]).toEqual([orders, limited.error]);
    await world.watchAt(retryAt);
    await world.until(domain, 'is issued', ({ status }) => status === 'issued');
  });

  it('comes of the order that was begun, though the worker was stopped in the middle', async () => {
    await using world = await open();
    const domain = await world.addDomain();
    const held = Promise.withResolvers<void>();
    const reached = Promise.withResolvers<void>();
    world.bench.gate.before(async (path) => {
      if (path !== '/certZ') return;
      reached.resolve();
      await held.promise;
    });
    const orders = world.newOrders();
    await world.ensure(domain);
    await reached.promise;
    const under = await world.row(domain);
    expect(under).toMatchObject({ order_url: expect.any(String), order_key: expect.stringMatching(/^v1\./) });
    await world.worker.stop({ finishMs: 0 });
    held.resolve();
    world.bench.gate.before(null);
    await world.work({ authority: world.bench.newAuthority() });
    await world.until(domain, 'is issued', ({ status }) => status === 'issued');
    expect(world.newOrders()).toBe(orders + 1);
  });

  it('of a domain that is taken away meanwhile is nobody’s', async () => {
    await using world = await open();
    const domain = await world.addDomain();
    const { db } = world.api.store;
    world.bench.gate.before(async (path) => {
      if (path === '/finalize-order') await db.deleteFrom('domains').where('id', '=', domain.domainId).execute();
    });
    await world.ensure(domain);
    const order = () => world.jobs('certificates.order');
    await eventually('its order is over', async () => (await order()).every(({ state }) => state === 'done'));
    expect(await order()).toMatchObject([{ result: 'It is gone.' }]);
    expect(await db.selectFrom('certificates').where('hostname', '=', domain.hostname).execute()).toEqual([]);
  });

  it('is refused where no authority is set up', async () => {
    await using world = await open();
    await world.worker.stop();
    const without = await world.work({ authority: null });
    const domain = await world.addDomain();
    await world.ensure(domain);
    const row = await world.until(domain, 'fails', ({ status }) => status === 'failed');
    expect(row.error).toContain('LILAC_ACME_DIRECTORY is off');
    await without.stop();
    await world.work();
    await world.retry(domain);
    await world.until(domain, 'is issued', ({ status }) => status === 'issued');
  });
});

describe('a renewal', () => {
  it('takes the place of the one before, which is shown until then', async () => {
    await using world = await open();
    const { domain, row } = await world.issued();
    let meanwhile: Partial<typeof row> = {};
    world.bench.gate.before(async (path) => {
      if (path === '/finalize-order') meanwhile = await world.row(domain);
    });
    await world.watchAt(row.renew_at!);
    const renewed = await world.until(domain, 'is renewed', ({ serial }) => serial !== row.serial);
    expect(meanwhile).toMatchObject({ status: 'renewing', chain: row.chain, private_key: row.private_key });
    expect(renewed.status).toBe('issued');
    const keys = [row, renewed].map(({ chain }) =>
      new X509Certificate(chain!).publicKey.export({ type: 'spki', format: 'pem' }),
    );
    expect(keys[0]).not.toBe(keys[1]);
    expect(Number(renewed.version)).toBeGreaterThan(Number(row.version));
    expect(await world.actionsOf(domain)).toEqual(['certificate_issued', 'certificate_issued']);
  });

  it('that fails leaves the one there is, warns before it ends, and says truly when it has', async () => {
    await using world = await open();
    const { domain, row } = await world.issued();
    await world.bench.dns.remove(({ name }) => name === domain.hostname);
    await world.watchAt(row.renew_at!);
    const failing = await world.until(domain, 'fails', ({ tries }) => tries === 1);
    expect(failing).toMatchObject({
      status: 'renewing',
      chain: row.chain,
      error: expect.stringContaining('could not reach'),
    });
    expect(await world.actionsOf(domain)).toEqual(['certificate_issued']);
    await world.watchAt(new Date(row.not_after!.getTime() - 500_000));
    await world.watchAt(new Date(row.not_after!.getTime() - 400_000));
    const warnings = async () => (await world.actionsOf(domain)).filter((action) => action === 'certificate_expiring');
    expect(await warnings()).toEqual(['certificate_expiring']);
    expect(await world.logOf(domain)).toContainEqual(
      expect.stringMatching(/ WARN .*ends on .* and was not renewed yet\./),
    );
    // A minute after, though people were warned today already.
    await world.watchAt(new Date(row.not_after!.getTime() + 60_000));
    expect(await world.row(domain)).toMatchObject({ status: 'failed', chain: row.chain });
    expect(await world.logOf(domain)).toContainEqual(expect.stringMatching(/ ERROR .* has ended\./));
    await world.bench.point(domain.hostname);
    await world.retry(domain);
    await world.until(domain, 'is issued', ({ status }) => status === 'issued');
  });
});

/** What is left of its certificate. */
const takeAway = async ({ api }: CertificateWorld, { hostname }: { hostname: string }) => {
  const { db } = api.store;
  await db.deleteFrom('domains').where('hostname', '=', hostname).execute();
  return db.selectFrom('certificates').selectAll().where('hostname', '=', hostname).executeTakeFirst();
};

describe('a certificate whose domain is taken away', () => {
  it('is kept for its organisation, and used again without another order; nobody else gets it', async () => {
    await using world = await open();
    const { domain, row } = await world.issued();
    const orders = world.newOrders();
    expect(await takeAway(world, domain)).toMatchObject({
      kept_for: world.owner.organisationId,
      domain_id: null,
      chain: row.chain,
      private_key: expect.stringMatching(/^v1\./),
    });
    const shown = () => readServedCertificates(world.api.store.db, 0);
    expect(await shown()).toMatchObject([{ id: row.id, chain: null }]);
    // Nothing is done for it meanwhile.
    await world.watchAt(new Date(row.renew_at!.getTime() + 1000));
    const back = await world.addDomain({ hostname: domain.hostname });
    await world.ensure(back);
    const used = await world.row(back);
    expect(used).toMatchObject({ id: row.id, domain_id: back.domainId, kept_for: null, serial: row.serial });
    expect(Number(used.version)).toBeGreaterThan(Number(row.version));
    expect(await shown()).toMatchObject([{ id: row.id, chain: row.chain }]);
    expect(world.newOrders()).toBe(orders);
    await takeAway(world, back);
    const theirs = await world.addDomain({ hostname: domain.hostname, owner: await createOwner(world.api) });
    await world.ensure(theirs);
    const fresh = await world.until(theirs, 'is issued', ({ status }) => status === 'issued');
    expect(fresh.serial).not.toBe(row.serial);
  });

  it('goes when it has ended, with its organisation, or where it was revoked', async () => {
    await using world = await open();
    const { domain, row } = await world.issued();
    await world.api.store.db.updateTable('certificates').set({ is_revoked: true }).where('id', '=', row.id).execute();
    expect(await takeAway(world, domain)).toBeUndefined();
    const other = await world.issued();
    await takeAway(world, other.domain);
    const theirs = await world.addDomain({ owner: await createOwner(world.api) });
    const { id: _id, version: _version, ...columns } = other.row;
    const { db } = world.api.store;
    await db
      .insertInto('certificates')
      .values({ ...columns, id: 'crt_theirs', hostname: theirs.hostname, domain_id: theirs.domainId })
      .execute();
    const { organisation_id: id } = await db
      .selectFrom('domains')
      .select('organisation_id')
      .where('id', '=', theirs.domainId)
      .executeTakeFirstOrThrow();
    await db.deleteFrom('environments').where('organisation_id', '=', id).execute();
    await db.deleteFrom('applications').where('organisation_id', '=', id).execute();
    expect(await db.selectFrom('certificates').select('hostname').execute()).toHaveLength(2);
    await db.deleteFrom('organisations').where('id', '=', id).execute();
    expect(await db.selectFrom('certificates').select('hostname').execute()).toEqual([
      { hostname: other.domain.hostname },
    ]);
    await world.watchAt(other.row.not_after!);
    expect(await world.api.store.db.selectFrom('certificates').selectAll().execute()).toEqual([]);
  });
});

describe('an organisation that orders too much', () => {
  it('waits by itself, and says until when; renewals and others do not wait', async () => {
    await using world = await open();
    const { domain: renewed, row } = await world.issued();
    const { clock } = world.deps;
    const { organisationId } = world.owner;
    await world.fillBudget({ organisationId, most: orderLimits.organisation.most });
    const domain = await world.addDomain();
    const orders = world.newOrders();
    await world.ensure(domain);
    const waiting = await world.until(domain, 'waits', ({ waits_until }) => waits_until !== null);
    expect(waiting).toMatchObject({
      status: 'provisioning',
      limited_until: null,
      error: expect.stringMatching(
        /^Your organisation has ordered as many .* own limit, not the .* authority's: it is ordered automatically on .* UTC;/,
      ),
    });
    await world.retry(domain);
    expect(await world.row(domain)).toMatchObject({ error: waiting.error, waits_until: waiting.waits_until });
    expect(world.newOrders()).toBe(orders);

    const theirs = await world.addDomain({ owner: await createOwner(world.api) });
    await world.ensure(theirs);
    await world.until(theirs, 'is issued', ({ status }) => status === 'issued');
    await world.watchAt(row.renew_at!);
    await world.until(renewed, 'is renewed', ({ serial }) => serial !== row.serial);

    expect(waiting.waits_until!.getTime()).toBeGreaterThan(clock.now().getTime());
    await world.watchAt(waiting.waits_until!);
    await world.until(domain, 'is issued', ({ status }) => status === 'issued');
  });

  it.each([
    ['of one domain', { domain: 'example.org', most: orderLimits.domain.most }, /names of example\.org within a week/],
    ['on the whole platform', { most: orderLimits.platform.most }, /The limit of first certificates/],
  ])('is held back for names %s too, whosever they are', async (_title, full, words) => {
    await using world = await open();
    await world.fillBudget(full);
    const domain = await world.addDomain();
    await world.ensure(domain);
    const waiting = await world.until(domain, 'waits', ({ waits_until }) => waits_until !== null);
    expect(waiting.error).toMatch(words);
    expect(world.newOrders()).toBe(0);
  });
});

describe("the platform's own names", () => {
  it('have certificates as the settings say', async () => {
    await using world = await open();
    await world.bench.point('hub.example.org');
    const { config } = world.deps;
    const named = async (publicUrl: string) => {
      const deps = { ...world.deps, config: { ...config, publicUrl: new URL(publicUrl) } };
      await watchCertificates(deps);
      return world.api.store.db.selectFrom('certificates').select('hostname').where('domain_id', 'is', null).execute();
    };
    expect(await named('https://hub.example.org')).toEqual([{ hostname: 'hub.example.org' }]);
    await world.until({ hostname: 'hub.example.org' }, 'is issued', ({ status }) => status === 'issued');
    expect(await named('https://hub.example.org')).toHaveLength(1);
    expect(await named('http://localhost:7080')).toEqual([]);
  });
});
