import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openAnswers } from '../../certificates/acme/challenge-answers.ts';
import {
  AuthorityRefused,
  CertificateUnknown,
  type CertificateAuthority,
} from '../../certificates/certificate-authority.ts';
import { describeTime } from '../../certificates/describe-time.ts';
import { silentLog } from '../../lib/log.ts';
import { eventually } from '../../testing/eventually.ts';
import { createOwner } from '../../testing/factories.ts';
import { spreadMs } from './certificate.ts';
import { listCertificates } from './certificate-store.ts';
import { listDueOrders } from './due-certificate-store.ts';
import { findWait, orderLimits, type PlannedKind } from './order-budget.ts';
import { renewNow, resumeOrders, revokeNow } from './renew-now.ts';
import { openCertificateWorld, type WantedDomain } from './testing/certificate-world.ts';
import { watchCertificates } from './watch-certificates.ts';
import { enqueueOrder } from './job-kinds.ts';

async function open() {
  const world = await openCertificateWorld({ validitySeconds: 7 * 86_400, reusesProofs: 0, rejectsNonces: 0 });
  const { db } = world.api.store;
  return {
    ...world,
    db,
    newOrders: () => world.bench.gate.requests.filter((path) => path === '/order-plz').length,
    async issued() {
      const domain = await world.addDomain();
      await world.ensure(domain);
      return { domain, row: await world.until(domain, 'is issued', ({ status }) => status === 'issued') };
    },
    async withWorker<T>(work: () => Promise<T>): Promise<T> {
      const worker = await world.work();
      const done = await work();
      await worker.stop();
      return done;
    },
    note: ({ domainId }: WantedDomain, isReached: boolean) =>
      db.updateTable('domains').set({ is_reached: isReached }).where('id', '=', domainId).execute(),
  };
}

describe('orders for a name', () => {
  it('are none while it leads elsewhere, and a handful an hour where the authority refuses', async () => {
    await using world = await open();
    await world.work();
    const { domain, row } = await world.issued();
    const orders = world.newOrders();
    await world.note(domain, false);
    await world.watchAt(row.renew_at!);
    const held = await world.until(domain, 'says why it waits', ({ error }) => error !== null);
    expect(held.error).toMatch(/does not lead to this platform, so no certificate is ordered/);
    await world.retry(domain);
    await world.until(domain, 'says so again', ({ error }) => error !== null);
    expect(world.newOrders()).toBe(orders);

    // It leads here as far as the platform knows, and the authority finds nothing.
    await world.note(domain, true);
    await world.bench.dns.remove(({ name }) => name === domain.hostname);
    for (let asked = 0; asked < orderLimits.name.most + 3; asked++) {
      await world.retry(domain);
      await world.until(domain, 'fails', ({ error }) => error !== null);
    }
    const waiting = await world.row(domain);
    expect(world.newOrders()).toBe(orders + orderLimits.name.most);
    expect(waiting).toMatchObject({
      limited_until: null,
      waits_until: expect.any(Date),
      error: expect.stringMatching(/could not reach http.* 5 orders for .* failed within an hour\. .*own limit/),
    });

    // Whoever runs the platform need not wait for that.
    await world.bench.point(domain.hostname);
    await world.db.transaction().execute((tx) => renewNow(tx, waiting, world.deps.clock.now()));
    const renewed = await world.until(domain, 'is renewed', ({ serial }) => serial !== row.serial);
    expect(renewed).toMatchObject({ waits_until: null, skips_budget: false, error: null });
  });

  it('wait for neither the renewals of others nor what was refused to others of the same domain', async () => {
    await using world = await open();
    await world.work();
    const { organisationId } = await createOwner(world.api);
    await world.fillBudget({ organisationId, most: orderLimits.platform.most, isRenewal: true });
    const refused = { domain: 'example.org', state: 'failed', most: orderLimits.domain.most } as const;
    await world.fillBudget({ organisationId, ...refused });
    await world.issued();
    // An authority that does not even take the order is not asked for ever either.
    const problem = { type: 'rejectedIdentifier', detail: 'No.' };
    world.bench.gate.intercept((path) => (path === '/order-plz' ? { status: 400, problem } : null));
    const asked = world.newOrders();
    const unwanted = await world.addDomain();
    await world.ensure(unwanted);
    for (let more = 0; more < orderLimits.name.most + 2; more++) {
      await world.until(unwanted, 'fails', ({ error }) => error !== null);
      await world.retry(unwanted);
    }
    expect(world.newOrders()).toBe(asked + orderLimits.name.most);
    world.bench.gate.intercept(null);
    // Those that came to nothing are bounded for who made them.
    const theirs = await world.addDomain({ owner: { ...world.owner, organisationId } });
    await world.ensure(theirs);
    const waiting = await world.until(theirs, 'waits', ({ waits_until }) => waits_until !== null);
    expect(waiting.error).toMatch(/^30 orders of your organisation failed/);
  });

  it('begin anew where an authority sends something else than was ordered', async () => {
    await using world = await open();
    const asked: (string | null)[] = [];
    let isWrong = true;
    const authority: CertificateAuthority = {
      ...world.bench.authority,
      async issue(order) {
        asked.push(order.orderUrl);
        if (!isWrong) return world.bench.authority.issue(order);
        if (order.orderUrl === null) await order.onOrder('https://authority.example/order/1');
        return 'something else';
      },
    };
    await world.work({ authority });
    const domain = await world.addDomain();
    await world.ensure(domain);
    const failed = await world.until(domain, 'fails', ({ error }) => error !== null);
    expect(failed).toMatchObject({ order_url: null, order_key: null, tries: 1 });
    isWrong = false;
    await world.watchAt(failed.next_try_at!);
    await world.until(domain, 'is issued', ({ status }) => status === 'issued');
    expect(asked).toEqual([null, null]);
    const orders = await world.db.selectFrom('certificate_orders').select('state').orderBy('ordered_at').execute();
    expect(orders).toEqual([{ state: 'failed' }, { state: 'issued' }]);
  });
});

describe('a limit of the whole account', () => {
  it('is no failure of any name, however often it is met; the words tell the time of the next try', async () => {
    await using world = await open();
    const { clock } = world.deps;
    const orderUrl = 'https://authority.example/order/1';
    const authority: CertificateAuthority = {
      ...world.bench.authority,
      async issue(order) {
        if (order.orderUrl === null) await order.onOrder(orderUrl);
        const retryAt = new Date(clock.now().getTime() + 40_000);
        throw new AuthorityRefused('Too many.', { retryAt, isForAll: true });
      },
    };
    await world.work({ authority });
    const domain = await world.addDomain();
    await world.ensure(domain);
    let row = await world.until(domain, 'is limited', ({ limited_until }) => limited_until !== null);
    for (let met = 0; met < 6; met++) {
      const before = row.next_try_at!;
      await world.watchAt(before);
      row = await world.until(domain, 'is limited again', ({ next_try_at }) => next_try_at! > before);
    }
    expect(row).toMatchObject({ status: 'provisioning', tries: 0, unreached: 0, order_url: orderUrl });
    expect(row.error).toBe(`Too many. It is tried again ${describeTime(row.next_try_at!)}; sooner would be in vain.`);
    expect(row.next_try_at!.getTime() - row.limited_until!.getTime()).toBeLessThanOrEqual(spreadMs(1));
    expect(await world.actionsOf(domain)).toEqual([]);
    expect(await world.db.selectFrom('certificate_orders').select('state').execute()).toEqual([{ state: 'open' }]);
  });
});

it('nothing is ordered or renewed where a proxy in front does https', async () => {
  await using world = await open();
  const config = { ...world.deps.config, tls: { ...world.deps.config.tls, port: null } };
  await world.work({ config });
  const domain = await world.addDomain();
  await world.ensure(domain);
  const jobs = () => world.jobs('certificates.order');
  await eventually('it is over', async () => (await jobs()).every(({ state }) => state === 'done'));
  expect([await jobs(), world.newOrders()]).toMatchObject([[{ result: 'No https is served here.' }], 0]);
  await watchCertificates({ ...world.deps, config: { ...config, publicUrl: new URL('https://hub.example.org') } });
  expect(await jobs()).toHaveLength(1);
  expect(await listCertificates(world.db)).toHaveLength(1);
});

it('one that its authority does not know is replaced only where that is insisted on', async () => {
  await using world = await open();
  const { domain, row } = await world.withWorker(() => world.issued());
  const certificate = { ...row, chain: row.chain! };
  const now = world.deps.clock.now();
  const revoke = (isForced: boolean, error: Error = new CertificateUnknown('Unknown.')) => {
    const authority = { revoke: () => Promise.reject(error) };
    return revokeNow({ store: world.deps.store, authority }, certificate, { now, isForced });
  };
  const inAnHour = new Date(now.getTime() + 3600_000);
  await expect(revoke(false)).rejects.toThrow('Unknown.');
  // What is only for now is no reason to give up.
  await expect(revoke(true, new AuthorityRefused('Too many.', { retryAt: inAnHour }))).rejects.toThrow('Too many.');
  expect(await world.row(domain)).toMatchObject({ status: 'issued', is_revoked: false });
  expect(await revoke(true)).toEqual({ refusal: 'Unknown.' });
  expect(await world.row(domain)).toMatchObject({ status: 'renewing', is_revoked: true, skips_budget: true });
  // Who owns the name is told where another cannot be got yet, by a limit of its own or of all.
  certificate.limited_until = inAnHour;
  certificate.error = 'Its limit.';
  await revoke(true);
  expect(await world.row(domain)).toMatchObject({
    status: 'failed',
    error: expect.stringMatching(/revoked.* Its limit/),
  });
});

it.each([
  { status: 429, problem: { type: 'rateLimited', detail: 'too many new orders (300) from this account' } },
  {
    status: 503,
    problem: { type: 'serverInternal', detail: 'Down for maintenance' },
    headers: { 'retry-after': '3600' },
  },
])('a pause of the whole account ends when whoever runs the platform says so, who is told how: $status', async (no) => {
  await using world = await open();
  const { clock } = world.deps;
  await world.work();
  world.bench.gate.intercept((path) => (path === '/order-plz' ? no : null));
  const domain = await world.addDomain();
  await world.ensure(domain);
  const limited = await world.until(domain, 'is limited', ({ limited_until }) => limited_until !== null);
  expect(limited.operator_error).toMatch(/lilac admin certificates resume\.$/);
  expect(limited.error).not.toContain('lilac admin');
  world.bench.gate.intercept(null);
  const { directoryUrl } = world.bench.gate;
  expect(await world.db.transaction().execute((tx) => resumeOrders(tx, directoryUrl, clock.now()))).toBe(1);
  await world.watchAt(clock.now());
  await world.until(domain, 'is issued', ({ status }) => status === 'issued');
});

it('a name that goes from one to the other and back leaves the authority room for its renewals', async () => {
  await using world = await open();
  await world.work();
  const { issuedFor, hostname } = { issuedFor: 'example.org', hostname: 'ball.example.org' };
  await world.fillBudget({ domain: issuedFor, hostname, most: orderLimits.same.most });
  const domain = await world.addDomain({ hostname });
  await world.ensure(domain);
  const waiting = await world.until(domain, 'waits', ({ waits_until }) => waits_until !== null);
  expect([waiting.error, world.newOrders()]).toEqual([
    expect.stringMatching(/^3 first certificates for ball\.example\.org/),
    0,
  ]);
  // Others of the domain do not wait for that.
  await world.issued();
});

it('orders whose end nobody has heard hold nobody back', async () => {
  await using world = await open();
  const { organisationId } = world.owner;
  await world.fillBudget({ organisationId, most: orderLimits.inVain.most, state: 'failed' });
  await world.db.updateTable('certificate_orders').set({ state: 'open' }).execute();
  await world.work();
  expect((await world.issued()).row.error).toBeNull();
});

it('renewals that can wait come one after the other, those that end first before others; urgent ones at once', async () => {
  await using world = await open();
  const { row: pattern } = await world.withWorker(() => world.issued());
  const { id: _id, version: _version, hostname: _hostname, domain_id: _domain, ...columns } = pattern;
  const now = pattern.renew_at!;
  const inDays = (days: number) => new Date(now.getTime() + days * 86_400_000);
  const others = [
    { id: 'crt_later', not_after: inDays(3) },
    { id: 'crt_sooner', not_after: inDays(2) },
    { id: 'crt_urgent', not_after: inDays(0.2) },
  ];
  for (const { id, not_after } of others) {
    const times = { not_before: inDays(-4), not_after, renew_at: now };
    await world.db
      .insertInto('certificates')
      .values({ ...columns, id, hostname: `${id}.example.org`, ...times })
      .execute();
  }
  expect(await listDueOrders(world.db, { now, renewals: 2 })).toEqual(['crt_urgent', 'crt_sooner', pattern.id]);
  expect(await listDueOrders(world.db, { now, renewals: 0 })).toEqual(['crt_urgent']);
  await world.fillBudget({ most: 2, isRenewal: true });
  const planned = { hostname: 'www.example.org', organisationId: null, now: world.deps.clock.now() };
  const waits = (kind: PlannedKind) => findWait(world.db, { ...planned, kind });
  const pace = { isWanted: false, mostRenewals: 2, urgentAt: inDays(2), goodUntil: inDays(3) };
  expect(await waits(pace)).toMatchObject({
    isPace: true,
    message: expect.stringMatching(/^The limit of renewals .*; this certificate ends on /),
  });
  const soon = new Date(planned.now.getTime() + 60_000);
  expect(await waits({ ...pace, urgentAt: soon })).toMatchObject({ until: soon });
  const free = [
    await waits({ ...pace, mostRenewals: 3 }),
    await waits('urgent'),
    await waits({ ...pace, isWanted: true }),
  ];
  expect(free).toEqual([null, null, null]);

  // Who waits for that is looked at again as soon as there is room, or when somebody wants it.
  const { domain, row } = await world.withWorker(() => world.issued());
  const config = { ...world.deps.config, acme: { ...world.deps.config.acme, renewals: 2 } };
  const worker = await world.work({ config });
  await world.db
    .updateTable('certificates')
    .set({ renew_at: world.deps.clock.now() })
    .where('id', '=', row.id)
    .execute();
  await world.db.transaction().execute((tx) => enqueueOrder(tx, row.id));
  const paced = await world.until(domain, 'waits', ({ error }) => error !== null);
  expect(paced).toMatchObject({ status: 'issued', waits_until: null, next_try_at: null });
  expect(await listDueOrders(world.db, { now: world.deps.clock.now(), renewals: 9 })).toContain(row.id);
  await world.retry(domain);
  const renewed = await world.until(domain, 'is renewed', ({ serial }) => serial !== row.serial);
  expect(renewed).toMatchObject({ skips_pace: false, error: null });
  // Also where the watch has not let it begin, and it says nothing of itself.
  await world.retry(domain);
  expect(await world.row(domain)).toMatchObject({ skips_pace: false });
  const due = { renew_at: world.deps.clock.now() };
  await world.db.updateTable('certificates').set(due).where('id', '=', row.id).execute();
  await world.retry(domain);
  await world.until(domain, 'is renewed again', ({ serial }) => serial !== renewed.serial);
  await worker.stop();
});

it('what the DNS hook says is read by whoever runs the platform, without its keys, and by nobody else', async () => {
  await using world = await open();
  const folder = mkdtempSync(join(tmpdir(), 'lilac-hook-'));
  const program = join(folder, 'hook');
  writeFileSync(program, '#!/bin/sh\necho "api_key=hush7 is refused by 10.1.2.3" >&2\nexit 3\n');
  chmodSync(program, 0o755);
  const dnsHook = { program, hostVariables: {} };
  await world.work({ openAnswers: (signal) => openAnswers({ ...world.deps, log: silentLog, dnsHook }, signal) });
  const domain = await world.addDomain({ hostname: '*.hooked.example.org' });
  await world.ensure(domain);
  const { error } = await world.until(domain, 'fails', (row) => row.status === 'failed');
  expect(error).toMatch(/the DNS hook of whoever runs this platform failed\. They find why in its log\./);
  expect([error, ...(await world.logOf(domain))].join('\n')).not.toMatch(/hush7|10\.1\.2\.3/);
  const [shown] = await listCertificates(world.db);
  expect(shown!.error).toMatch(/it ended with 3: api_key=\[redacted\] is refused by 10\.1\.2\.3/);
  await world.retry(domain);
  await world.until(domain, 'is tried again', (row) => row.error !== null);
  rmSync(folder, { recursive: true });
});
