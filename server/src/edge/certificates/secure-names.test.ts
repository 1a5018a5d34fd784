import { X509Certificate } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createLocalAuthority } from '../../certificates/local/local-authority.ts';
import { permittedNamesOf } from '../../certificates/local/own-names.ts';
import { localAuthorityPlace } from '../../certificates/local/local-authority-store.ts';
import type { ServedCertificate } from '../../certificates/served-certificate-store.ts';
import type { Log } from '../../lib/log.ts';
import { silentLog } from '../../lib/log.ts';
import type { Route } from '../../routing/route.ts';
import { createFakeClock } from '../../testing/fake-clock.ts';
import { RouteTable } from '../routes/route-table.ts';
import { CertificateContexts } from './certificate-contexts.ts';
import { CertificateTable } from './certificate-table.ts';
import { createSecureNames } from './create-secure-names.ts';
import { LocalLeaves } from './local-leaves.ts';
import { authority, makeCertificate, makeKeyring } from './testing/make-certificate.ts';
import type { SecureNames } from './secure-names.ts';
import { startSecureServer } from './testing/start-secure-server.ts';
import { createTicketKeys } from './ticket-keys.ts';

const DAY_MS = 86_400_000;

interface Setting {
  publicUrl?: string;
  appsDomain?: string;
  /** Domains that somebody answers at. */
  domains?: readonly string[];
  secret?: Buffer;
  hasAuthority?: boolean;
  log?: Log;
}

/** The names of an edge. */
function makeNames(setting: Setting = {}) {
  const { publicUrl = 'https://lilac.example.org', appsDomain = 'apps.example.org', domains = [] } = setting;
  const config = {
    publicUrl: new URL(publicUrl),
    appsDomain,
    domains: { publicAddresses: ['192.0.2.7'], dnsServers: null, dnsHook: null },
  };
  const [keyring, clock, certificates, routes] = [
    makeKeyring(),
    createFakeClock(),
    new CertificateTable(),
    new RouteTable(),
  ];
  const base = { target: null, lock: null, accessLog: false, atSubdomain: true, version: 1 };
  const routeOf = (domain: string, n: number): Route => ({
    ...base,
    environmentId: `env_${n}`,
    subdomain: `s${n}`,
    domain,
  });
  routes.replaceAll(domains.map(routeOf));
  const tickets = createTicketKeys(clock);
  tickets.learn(setting.secret ?? Buffer.alloc(32, 1));
  const contexts = new CertificateContexts({ keyring, tickets, log: setting.log ?? silentLog, maxContexts: 2 });
  const leaves = new LocalLeaves({ keyring, tickets, clock, maxLeaves: 2 });
  const learnAuthority = () => {
    const { certificate, privateKey } = createLocalAuthority(clock.now(), permittedNamesOf(config));
    leaves.learn({ certificate, sealedKey: keyring.seal(privateKey, localAuthorityPlace) });
  };
  if (setting.hasAuthority !== false) learnAuthority();
  const names = createSecureNames({ config, routes, certificates, contexts, leaves, clock });
  const issue = (hostname: string, change: Partial<ServedCertificate> = {}) =>
    certificates.put(makeCertificate(keyring, hostname, change));
  return { names, tickets, keyring, clock, certificates, routes, routeOf, leaves, learnAuthority, issue };
}

/** What is shown, by a real handshake: the names of the certificate, or null when it is refused. */
async function shownFor(names: SecureNames, servername: string | undefined): Promise<string | null> {
  const server = await startSecureServer({ ...names, contextFor: () => names.contextFor(servername) });
  return server.shake('any').then(
    ({ names: shown }) => shown,
    () => null,
  );
}

const platformLeaf =
  'DNS:lilac.example.org, DNS:localhost, IP Address:127.0.0.1, IP Address:0:0:0:0:0:0:0:1, IP Address:192.0.2.7';

describe('the certificate that is shown', () => {
  it('is a local one for the names of the platform, until there is one that the world believes', async () => {
    const { names, issue, routes, routeOf } = makeNames();
    routes.set({ ...routeOf('', 1), subdomain: 'shop', domain: null });
    expect(await shownFor(names, 'lilac.example.org')).toBe(platformLeaf);
    expect(await shownFor(names, undefined)).toBe(platformLeaf);
    expect(await shownFor(names, 'Shop.apps.example.org')).toBe('DNS:shop.apps.example.org');
    expect(await shownFor(names, 'localhost')).toBe('DNS:localhost');
    issue('lilac.example.org');
    issue('*.apps.example.org');
    expect(await shownFor(names, 'lilac.example.org')).toBe('DNS:lilac.example.org');
    expect(await shownFor(names, undefined)).toBe('DNS:lilac.example.org');
    expect(await shownFor(names, 'shop.apps.example.org')).toBe('DNS:*.apps.example.org');
    // Nobody is there, which browsers can be told, as it costs no signature.
    expect(await shownFor(names, 'other.apps.example.org')).toBe('DNS:*.apps.example.org');
  });

  it('is a local one for no name that nobody has: of those there is no end', async () => {
    const { names, routes, routeOf } = makeNames();
    for (const name of ['shop', 'a.shop', 'a.b.c']) expect(names.contextFor(`${name}.apps.example.org`)).toBeNull();
    routes.set({ ...routeOf('', 1), subdomain: 'shop', domain: null });
    expect(names.contextFor('shop.apps.example.org')).not.toBeNull();
    expect(names.contextFor('a.shop.apps.example.org')).toBeNull();
    routes.replaceAll([]);
    expect(names.contextFor('shop.apps.example.org')).toBeNull();
  });

  it('is that of a domain only where somebody answers at it, and never a local one', async () => {
    const { names, issue, routes, routeOf } = makeNames({ domains: ['www.example.com'] });
    expect(await shownFor(names, 'www.example.com')).toBeNull();
    issue('www.example.com');
    issue('left.example.com');
    expect(await shownFor(names, 'WWW.example.com')).toBe('DNS:www.example.com');
    expect(await shownFor(names, 'left.example.com')).toBeNull();
    routes.set({ ...routeOf('www.example.com', 0), domain: null });
    expect(await shownFor(names, 'www.example.com')).toBeNull();
  });

  it('is that of the very name, or of the star one label above', async () => {
    const { names, issue } = makeNames({ domains: ['*.example.com', 'www.example.com'] });
    issue('*.example.com');
    expect(await shownFor(names, 'www.example.com')).toBe('DNS:*.example.com');
    expect(await shownFor(names, 'a.b.example.com')).toBeNull();
    expect(await shownFor(names, 'example.com')).toBeNull();
    issue('www.example.com');
    expect(await shownFor(names, 'www.example.com')).toBe('DNS:www.example.com');
  });

  it.each(['nobody.test', 'apps.example.org', 'intranet', 'shop.localhost', 'a b'])('is none for %s', (name) => {
    expect(makeNames().names.contextFor(name)).toBeNull();
  });

  it('is the platform’s for an address, and at an address that is the platform’s', async () => {
    for (const address of ['192.0.2.7', '[2001:db8::1]']) {
      const { names } = makeNames({ publicUrl: `https://${address}` });
      const shown = `IP Address:${address === '192.0.2.7' ? address : '2001:DB8:0:0:0:0:0:1'}`;
      expect(await shownFor(names, undefined)).toContain(shown);
      expect(names.contextFor(address)).toBe(names.contextFor(undefined));
    }
  });

  it('is the new one from the very next handshake on', async () => {
    const { names, issue, keyring, certificates } = makeNames({ domains: ['www.example.com'] });
    issue('www.example.com');
    const server = await startSecureServer(names);
    const serialShown = async () => {
      const sent = new Set<string>();
      await server.shake('www.example.com', {
        checkServerIdentity: (_host, { serialNumber }) => void sent.add(serialNumber),
        rejectUnauthorized: true,
        ca: authority.certificate,
      });
      return [...sent][0];
    };
    const before = await serialShown();
    const next = makeCertificate(keyring, 'www.example.com', { version: 2 });
    certificates.put(next);
    const after = await serialShown();
    expect(after).toBe(new X509Certificate(next.chain).serialNumber);
    expect(after).not.toBe(before);
  });

  it('is none while its key does not open, which is said once; the platform’s own names get a local one', async () => {
    const errors: string[] = [];
    const log = { ...silentLog, error: (_fields: unknown, text: string) => errors.push(text) } as unknown as Log;
    const { names, issue } = makeNames({ domains: ['www.example.com'], log });
    issue('www.example.com', { sealedKey: 'v1.no.such.key' });
    issue('lilac.example.org', { chain: 'no certificate' });
    for (let time = 0; time < 3; time++) expect(names.contextFor('www.example.com')).toBeNull();
    expect(errors).toHaveLength(1);
    expect(await shownFor(names, 'lilac.example.org')).toBe(platformLeaf);
  });

  it('is not made anew for who comes again, and is for who was not seen for long', () => {
    const { names, issue } = makeNames({ domains: ['*.example.com'] });
    for (const name of ['a', 'b', 'c']) issue(`${name}.example.com`);
    const first = names.contextFor('a.example.com');
    expect(names.contextFor('A.example.com')).toBe(first);
    for (const name of ['b', 'c', 'b', 'c']) names.contextFor(`${name}.example.com`);
    expect(names.contextFor('a.example.com')).not.toBe(first);
  });

  it('is a local one with time left, of the authority of the moment', () => {
    const { names, clock, learnAuthority } = makeNames();
    const first = names.contextFor('localhost');
    clock.advance(DAY_MS / 24);
    learnAuthority();
    const second = names.contextFor('localhost');
    expect(second).not.toBe(first);
    expect(names.contextFor('localhost')).toBe(second);
    clock.advance(50 * DAY_MS);
    expect(names.contextFor('localhost')).not.toBe(second);
  });

  it('is none for local names until the authority is known', () => {
    expect(makeNames({ hasAuthority: false }).names.contextFor('localhost')).toBeNull();
  });
});

describe('a request is misdirected', () => {
  const domains = ['www.example.com', 'shop.example.com', '*.example.net', 'bare.test'];

  function makeShown() {
    const made = makeNames({ domains });
    for (const name of ['www.example.com', 'shop.example.com', '*.example.net', 'left.example.com']) made.issue(name);
    made.routes.set({ ...made.routeOf('', 9), subdomain: 'blog', domain: null });
    return made;
  }

  it.each([
    ['www.example.com', 'shop.example.com'],
    ['www.example.com', 'lilac.example.org'],
    ['www.example.com', 'a.example.net'],
    ['a.example.net', 'www.example.com:443'],
    ['lilac.example.org', 'www.example.com'],
    ['lilac.example.org', 'blog.apps.example.org'],
    ['blog.apps.example.org', 's0.apps.example.org'],
    // What it was shown is nobody's any more.
    ['left.example.com', 'www.example.com'],
  ])('where %s was named in the handshake and %s is asked for', (servername, host) => {
    expect(makeShown().names.isMisdirected(servername, host)).toBe(true);
  });

  it.each([
    ['www.example.com', 'WWW.example.com:7443'],
    ['www.example.com', 'www.example.com.'],
    ['a.example.net', 'b.example.net'],
    ['lilac.example.org', 'localhost:7443'],
    ['localhost', '127.0.0.1'],
    [undefined, 'www.example.com'],
    [undefined, '192.0.2.7'],
    ['127.0.0.1', 'www.example.com'],
    ['[2001:db8::1]', 'blog.apps.example.org'],
    // There is nobody to be directed to.
    ['www.example.com', 'left.example.com'],
    ['www.example.com', 'nobody.apps.example.org'],
    ['www.example.com', 'a b'],
  ])('but not where %s was named and %s is asked for', (servername, host) => {
    expect(makeShown().names.isMisdirected(servername, host)).toBe(false);
  });

  it('not where one certificate is for both names, but where one of them has its own', () => {
    const { names, issue } = makeNames({ domains: ['a.example.net', 'b.example.net'] });
    issue('*.example.net');
    expect(names.isMisdirected('a.example.net', 'b.example.net')).toBe(false);
    issue('a.example.net');
    expect(names.isMisdirected('a.example.net', 'b.example.net')).toBe(true);
    expect(names.isMisdirected('b.example.net', 'a.example.net')).toBe(false);
  });
});

describe('a name is public', () => {
  it('when the world believes its certificate', () => {
    const { names, issue, clock } = makeNames({ domains: ['www.example.com', 'bare.example.com'] });
    for (const name of ['www.example.com', 'lilac.example.org', 'left.example.com', '*.apps.example.org']) issue(name);
    const isPublic = (name: string) => names.isPublic(name);
    const all = ['www.example.com', 'WWW.Example.com:7080', 'lilac.example.org', 'shop.apps.example.org'];
    expect(all.filter(isPublic)).toEqual(all);
    expect(['bare.example.com', 'left.example.com', 'localhost', '192.0.2.7', 'a b'].filter(isPublic)).toEqual([]);
    clock.advance(61 * DAY_MS);
    expect(all.filter(isPublic)).toEqual([]);
  });

  it('of the platform’s own, only where its address says https', () => {
    const { names, issue } = makeNames({ publicUrl: 'http://lilac.example.org', domains: ['www.example.com'] });
    for (const name of ['www.example.com', 'lilac.example.org']) issue(name);
    expect(['www.example.com', 'lilac.example.org'].filter((name) => names.isPublic(name))).toEqual([
      'www.example.com',
    ]);
  });
});

it('the authority’s word is that of the certificate that is shown', () => {
  const { names, issue } = makeNames({ domains: ['www.example.com'] });
  const ocsp = Buffer.from([0x30, 0x00, 0xff, 0x80]);
  issue('www.example.com', { ocsp });
  issue('left.example.com', { ocsp });
  expect(names.stapleFor('www.EXAMPLE.com')).toEqual(ocsp);
  expect(names.stapleFor('left.example.com')).toBeNull();
  expect(names.stapleFor('localhost')).toBeNull();
  issue('lilac.example.org', { ocsp });
  expect(names.stapleFor(undefined)).toEqual(ocsp);
});

describe('a session', () => {
  it.each(['TLSv1.2', 'TLSv1.3'] as const)('goes on at another edge, by %s', async (version) => {
    const domains = ['www.example.com'];
    const edges = [makeNames({ domains }), makeNames({ domains })];
    for (const { issue } of edges) issue('www.example.com');
    const [one, two] = await Promise.all(edges.map(({ names }) => startSecureServer(names)));
    const first = await one!.shake('www.example.com', { version });
    expect(first.isResumed).toBe(false);
    const second = await two!.shake('www.example.com', { version, session: first.session });
    expect(second.isResumed).toBe(true);
    const local = await one!.shake('localhost', { version });
    expect((await two!.shake('localhost', { version, session: local.session })).isResumed).toBe(true);
  });

  it('goes on nowhere that has another secret, nor the day after', async () => {
    const { names, clock, tickets } = makeNames();
    const other = makeNames({ secret: Buffer.alloc(32, 2) });
    const [here, there] = [await startSecureServer(names), await startSecureServer(other.names)];
    const { session } = await here.shake('localhost');
    expect((await there.shake('localhost', { session })).isResumed).toBe(false);
    const before = tickets.current();
    expect(before).toHaveLength(48);
    expect(tickets.current()).toBe(before);
    clock.advance(DAY_MS);
    expect(tickets.current()).not.toEqual(before);
    expect((await here.shake('localhost', { session })).isResumed).toBe(false);
    const { session: later } = await here.shake('localhost');
    expect((await here.shake('localhost', { session: later })).isResumed).toBe(true);
  });
});
