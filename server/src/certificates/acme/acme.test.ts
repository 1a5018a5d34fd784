import { createPrivateKey, X509Certificate } from 'node:crypto';
import { Resolver } from 'node:dns/promises';
import { createServer } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestStore, type TestStore } from '../../testing/test-store.ts';
import {
  AuthorityRefused,
  AuthorityUnavailable,
  CertificateUnknown,
  type CertificateOrder,
} from '../certificate-authority.ts';
import { createLocalAuthority } from '../local/local-authority.ts';
import { reachDirectory } from './reach-directory.ts';
import { openAuthorityBench, type AuthorityBench } from '../testing/authority-bench.ts';
import { newPrivateKey } from '../new-private-key.ts';

let store: TestStore;
let bench: AuthorityBench;
beforeAll(async () => {
  store = await createTestStore();
  bench = await openAuthorityBench(store, { rejectsNonces: 5, reusesProofs: 0 });
});
afterAll(async () => {
  await bench[Symbol.asyncDispose]();
  await store[Symbol.asyncDispose]();
});

function orderFor(hostname: string | string[], given: Partial<CertificateOrder> = {}): CertificateOrder {
  return {
    hostnames: [hostname].flat(),
    privateKey: newPrivateKey(),
    answers: bench.answers(),
    orderUrl: null,
    onOrder: async () => {},
    signal: AbortSignal.timeout(30_000),
    ...given,
  };
}

/** As others would look at it. */
async function inspect(chain: string) {
  const [leaf, issuer] = chain.split(/(?=-----BEGIN)/).map((pem) => new X509Certificate(pem));
  const root = new X509Certificate(await bench.pebble.root());
  return { leaf: leaf!, isTrusted: leaf!.verify(issuer!.publicKey) && issuer!.verify(root.publicKey) };
}

describe('certificates by ACME', () => {
  it('are issued for a name that leads here, to a chain that ends at the root', async () => {
    await bench.point('www.example.org');
    const order = orderFor('www.example.org');
    const { leaf, isTrusted } = await inspect(await bench.authority.issue(order));
    expect([leaf.subjectAltName, isTrusted]).toEqual(['DNS:www.example.org', true]);
    expect(leaf.publicKey.asymmetricKeyDetails).toEqual({ namedCurve: 'prime256v1' });
    expect(bench.visits).toContainEqual(expect.stringMatching(/^www\.example\.org\/\.well-known\/acme-challenge\//));
    await order.answers.cleanUp();
    expect(await store.db.selectFrom('acme_challenges').selectAll().execute()).toEqual([]);
  });

  it('are issued for a name and the wildcard above it, whose TXT records stand side by side until the end', async () => {
    const answers = bench.answers({ dnsHook: bench.dnsHook });
    const chain = await bench.authority.issue(orderFor(['wild.example.org', '*.wild.example.org'], { answers }));
    const { leaf } = await inspect(chain);
    expect(leaf.subjectAltName).toBe('DNS:wild.example.org, DNS:*.wild.example.org');
    expect(await textsAt('_acme-challenge.wild.example.org')).toHaveLength(2);
    await answers.cleanUp();
    expect(await textsAt('_acme-challenge.wild.example.org')).toEqual([]);
  });

  it('are for later where the authority takes none of its own nonces', async () => {
    const problem = { type: 'badNonce', detail: 'JWS has an invalid anti-replay nonce' };
    bench.gate.intercept((path) => (path === '/order-plz' ? { status: 400, problem } : null));
    const failure = await failureOf(bench.authority.issue(orderFor('stale.example.org')));
    bench.gate.intercept(null);
    expect(failure).toBeInstanceOf(AuthorityUnavailable);
    expect(failure.message).toMatch(/out of order: .*badNonce/);
  });

  it('are refused in plain words where something else answers, or nothing', async () => {
    await bench.dns.add({ type: 'A', name: 'elsewhere.example.org', value: '127.0.0.99' });
    const elsewhere = await failureOf(bench.authority.issue(orderFor('elsewhere.example.org')));
    expect(elsewhere).toBeInstanceOf(AuthorityRefused);
    expect(elsewhere.message).toMatch(/^The certificate authority could not reach http:\/\/elsewhere\.example\.org\//);
    const nowhere = await failureOf(bench.authority.issue(orderFor('nowhere.example.org')));
    expect(nowhere).toBeInstanceOf(AuthorityRefused);
    await bench.point('silent.example.org');
    const silent = { ...bench.answers(), publish: async () => {} };
    const wrong = await failureOf(bench.authority.issue(orderFor('silent.example.org', { answers: silent })));
    expect(wrong.message).toMatch(/^Something else than this platform answered the certificate authority for silent/);
  });

  it('of a wildcard need a program that creates records, which may fail', async () => {
    const none = await failureOf(bench.authority.issue(orderFor('*.example.org')));
    expect(none).toBeInstanceOf(AuthorityRefused);
    expect(none.message).toContain('LILAC_DNS_HOOK');
    const answers = bench.answers({ dnsHook: '/bin/false' });
    const failed = await failureOf(bench.authority.issue(orderFor('*.example.org', { answers })));
    expect(failed.message).toBe(
      'The TXT record _acme-challenge.example.org could not be written: the DNS hook of whoever runs this platform ' +
        'failed. They find why in its log.',
    );
    expect((failed as AuthorityRefused).forOperator).toBe(
      'The program that LILAC_DNS_HOOK names failed: it ended with 1.',
    );
    const gone = bench.answers({ dnsHook: '/nowhere/hook' });
    const missing = await failureOf(bench.authority.issue(orderFor('*.example.org', { answers: gone })));
    expect(missing.message).not.toContain('ENOENT');
    expect((missing as AuthorityRefused).forOperator).toContain('ENOENT');
  });

  it('wait for an authority that is away', async () => {
    await bench.point('later.example.org');
    const settings = { directoryUrl: bench.pebble.directoryUrl, caFile: bench.pebble.caFile };
    await bench.pebble.stop();
    const away = await failureOf(bench.authority.issue(orderFor('later.example.org')));
    expect(away).toBeInstanceOf(AuthorityUnavailable);
    await expect(reachDirectory(settings, {})).rejects.toBeInstanceOf(AuthorityUnavailable);
    // It begins anew, and has forgotten the account.
    await bench.pebble.start();
    await reachDirectory(settings, {});
    expect((await inspect(await bench.authority.issue(orderFor('later.example.org')))).isTrusted).toBe(true);
  });

  it('honour the limits of the authority, for a name or for all', async () => {
    await bench.point('busy.example.org');
    const limited = async (detail: string, headers: Record<string, string>) => {
      const problem = { type: 'rateLimited', detail };
      bench.gate.intercept((path) => (path === '/order-plz' ? { status: 429, headers, problem } : null));
      const asked = bench.gate.requests.filter((path) => path === '/order-plz').length;
      const error = await failureOf(bench.authority.issue(orderFor('busy.example.org')));
      expect(bench.gate.requests.filter((path) => path === '/order-plz').length).toBe(asked + 1);
      return error as AuthorityRefused;
    };
    const inThreeDays = new Date(Math.floor(Date.now() / 60_000) * 60_000 + 3 * 24 * 3600_000);
    const at = inThreeDays.toUTCString();
    const ofName = await limited('too many certificates already issued for "example.org"', { 'retry-after': at });
    expect(ofName).toMatchObject({ retryAt: new Date(at), isForAll: false });
    expect(ofName.message).toBe(
      'A limit of the certificate authority is reached. It says: too many certificates already issued for "example.org".',
    );
    const ofAll = await limited('too many new orders recently', { 'retry-after': '3600' });
    expect(ofAll).toMatchObject({ retryAt: expect.any(Date), isForAll: true });
    // Nobody asks it again before, for no name.
    const asked = bench.gate.requests.length;
    const other = await failureOf(bench.newAuthority().issue(orderFor('other.example.org')));
    expect([other, bench.gate.requests.length]).toEqual([expect.objectContaining({ isForAll: true }), asked]);
    expect((other as AuthorityRefused).retryAt).toEqual(ofAll.retryAt);
    await store.db.updateTable('acme_accounts').set({ paused_until: null }).execute();
    bench.gate.intercept((path) => (path === '/order-plz' ? outOfOrder : null));
    const broken = await failureOf(bench.authority.issue(orderFor('busy.example.org')));
    expect(broken).toBeInstanceOf(AuthorityUnavailable);
    expect((broken as AuthorityUnavailable).retryAt!.getTime()).toBeGreaterThan(Date.now());
    bench.gate.intercept(null);
    const held = await failureOf(bench.authority.issue(orderFor('busy.example.org')));
    expect(held).toMatchObject({ isForAll: true, retryAt: (broken as AuthorityUnavailable).retryAt });
    await store.db.updateTable('acme_accounts').set({ paused_until: null }).execute();
  });

  it.each(['/authZ', '/chalZ', '/finalize-order', '/my-order', '/certZ'])(
    'come of the order that was begun, though whoever began it was killed before %s',
    async (point) => {
      const hostname = `killed${point.replaceAll(/\W/g, '').toLowerCase()}.example.org`;
      await bench.point(hostname);
      const killed = new AbortController();
      bench.gate.before(async (path) => {
        if (path === point) killed.abort();
      });
      let orderUrl: string | null = null;
      const onOrder = async (url: string) => void (orderUrl = url);
      const first = orderFor(hostname, { onOrder, signal: killed.signal });
      await expect(bench.authority.issue(first)).rejects.toThrow('aborted');
      bench.gate.before(null);
      expect(orderUrl).not.toBeNull();
      const newOrders = () => bench.gate.requests.filter((path) => path === '/order-plz').length;
      const before = newOrders();
      const again = { ...first, orderUrl, signal: AbortSignal.timeout(30_000), answers: bench.answers() };
      const { leaf } = await inspect(await bench.newAuthority().issue(again));
      expect([leaf.subjectAltName, newOrders()]).toEqual([`DNS:${hostname}`, before]);
      expect(leaf.checkPrivateKey(createPrivateKey(first.privateKey))).toBe(true);
    },
  );

  it('leave no record behind, though whoever created it was killed', async () => {
    const killed = new AbortController();
    bench.gate.before(async (path) => {
      if (path === '/finalize-order') killed.abort();
    });
    let orderUrl: string | null = null;
    const onOrder = async (url: string) => void (orderUrl = url);
    const dnsHook = { dnsHook: bench.dnsHook };
    const first = orderFor('*.left.example.org', { onOrder, signal: killed.signal, answers: bench.answers(dnsHook) });
    await expect(bench.authority.issue(first)).rejects.toThrow('aborted');
    bench.gate.before(null);
    expect(await textsAt('_acme-challenge.left.example.org')).toHaveLength(1);
    const answers = bench.answers(dnsHook);
    await bench.authority.issue({ ...first, orderUrl, signal: AbortSignal.timeout(30_000), answers });
    await answers.cleanUp();
    expect(await textsAt('_acme-challenge.left.example.org')).toEqual([]);
  });

  it('come of a new order where the one that was begun is forgotten, or went wrong', async () => {
    await bench.point('anew.example.org');
    const urls: string[] = [];
    const onOrder = async (url: string) => void urls.push(url);
    const silent = { ...bench.answers(), publish: async () => {} };
    await failureOf(bench.authority.issue(orderFor('anew.example.org', { onOrder, answers: silent })));
    for (const orderUrl of [urls[0]!, `${urls[0]!}unknown`]) {
      await bench.authority.issue(orderFor('anew.example.org', { orderUrl, onOrder }));
    }
    expect(new Set(urls).size).toBe(3);
  });

  it('are asked for through the machine’s proxy, where it has one', async () => {
    const asked: string[] = [];
    const proxy = createServer().on('connect', ({ url = '' }, socket: Socket) => {
      asked.push(url);
      const through = connect(Number(url.split(':')[1]), '127.0.0.1', () => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n');
        socket.pipe(through).pipe(socket);
      });
      for (const each of [socket, through]) each.on('error', () => {}).on('close', () => each.destroy());
    });
    await new Promise<void>((resolve) => void proxy.listen(0, '127.0.0.1', resolve));
    const { directoryUrl, caFile } = bench.pebble;
    const at = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
    await reachDirectory({ directoryUrl, caFile }, { HTTPS_PROXY: at });
    expect(asked).toEqual([new URL(directoryUrl).host]);
    await reachDirectory({ directoryUrl, caFile }, { HTTPS_PROXY: at, NO_PROXY: 'localhost' });
    expect(asked).toHaveLength(1);
    proxy.close();
  });

  it('of an order at an authority that was chosen before come of a new one', async () => {
    await bench.point('moved.example.org');
    const urls: string[] = [];
    const onOrder = async (url: string) => void urls.push(url);
    await bench.authority.issue(orderFor('moved.example.org', { orderUrl: 'https://192.0.2.1/my-order/1', onOrder }));
    expect(urls).toHaveLength(1);
  });

  it('are revoked, once or twice', async () => {
    await bench.point('revoked.example.org');
    const chain = await bench.authority.issue(orderFor('revoked.example.org'));
    const { leaf } = await inspect(chain);
    expect(await bench.pebble.statusOf(leaf.serialNumber)).toBe('Valid');
    // What limits orders keeps nobody from that.
    const inAnHour = new Date(Date.now() + 3600_000);
    await store.db.updateTable('acme_accounts').set({ paused_until: inAnHour }).execute();
    await bench.authority.revoke(chain);
    await bench.authority.revoke(chain);
    await store.db.updateTable('acme_accounts').set({ paused_until: null }).execute();
    expect(await bench.pebble.statusOf(leaf.serialNumber)).toBe('Revoked');
    const strange = createLocalAuthority(new Date(), { names: ['example.org'], addresses: [] }).certificate;
    expect(await failureOf(bench.authority.revoke(strange))).toBeInstanceOf(CertificateUnknown);
    const problem = { type: 'rateLimited', detail: 'Not now' };
    bench.gate.intercept((path) => (path === '/revoke-cert' ? { status: 429, problem } : null));
    expect(await failureOf(bench.authority.revoke(chain))).not.toBeInstanceOf(CertificateUnknown);
    bench.gate.intercept(null);
  });

  it('are ordered by one account, though two begin at the same moment, whose key is sealed', async () => {
    await store.db.deleteFrom('acme_accounts').execute();
    await bench.point('one.example.org', 'two.example.org');
    await Promise.all([
      bench.newAuthority().issue(orderFor('one.example.org')),
      bench.newAuthority().issue(orderFor('two.example.org')),
    ]);
    const accounts = await store.db.selectFrom('acme_accounts').selectAll().execute();
    expect(accounts).toMatchObject([{ account_url: expect.stringContaining('/my-account/') }]);
    expect(accounts[0]!.account_key).toMatch(/^v1\./);
  });
});

const outOfOrder = {
  status: 503,
  headers: { 'retry-after': '120' },
  problem: { type: 'serverInternal', detail: 'The service is down for maintenance' },
};

function failureOf(work: Promise<unknown>): Promise<Error> {
  return work.then(
    () => Promise.reject(new Error('It did not fail.')),
    (error: Error) => error,
  );
}

async function textsAt(name: string): Promise<string[]> {
  const resolver = new Resolver();
  resolver.setServers([bench.dns.address]);
  return (await resolver.resolveTxt(name).catch(() => [])).flat();
}
