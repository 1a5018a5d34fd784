import { describe, expect, it } from 'vitest';
import { readConfig } from '../../config.ts';
import { isReserved, slugOf, subdomainCandidates, wantedSubdomain } from './subdomain.ts';

const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
const config = readConfig({});

describe('the slug of a name', () => {
  it.each([
    ['Shop', 'shop'],
    ['  My   Great Shop!  ', 'my-great-shop'],
    ['Café Zürich', 'cafe-zurich'],
    ['Smørrebrød & Straße', 'smorrebrod-strasse'],
    ['Łódź', 'lodz'],
    ['İstanbul Iı', 'istanbul-ii'],
    ['ﬁnance №5 ①', 'finance-no5-1'],
    ['Ｆｕｌｌ ｗｉｄｔｈ', 'full-width'],
    ['snake_case.and.dots', 'snake-case-and-dots'],
    ['_acme-challenge', 'acme-challenge'],
    ['xn--80ak6aa92e', 'xn-80ak6aa92e'],
    ['a--b', 'a-b'],
    ['$(reboot)', 'reboot'],
    ['магазин', 'app'],
    ['東京 2', '2'],
    ['🌷', 'app'],
    ['\u{1F}', 'app'],
  ])('of %j is %s', (name, slug) => {
    expect(slugOf(name)).toBe(slug);
  });

  it('is a host name label, whatever the name, and its own slug', () => {
    for (const name of randomNames(3000)) {
      const slug = slugOf(name);
      expect(slug).toMatch(LABEL);
      expect(slug).not.toMatch(/--/);
      expect(slugOf(slug)).toBe(slug);
    }
  });
});

describe('the subdomain of an environment', () => {
  it('is the name of the application in production, and both names elsewhere', () => {
    expect(wantedSubdomain({ isProduction: true, applicationName: 'My Shop' })).toBe('my-shop');
    expect(wantedSubdomain({ isProduction: false, applicationSlug: 'my-shop-x7k2mz', name: 'Preview 2' })).toBe(
      'my-shop-x7k2mz-preview-2',
    );
  });

  it('keeps a part of either name when both are long', () => {
    const long = { isProduction: false, applicationSlug: 'a'.repeat(63), name: 'b'.repeat(100) } as const;
    expect(wantedSubdomain(long)).toBe(`${'a'.repeat(34)}-${'b'.repeat(28)}`);
    expect(wantedSubdomain({ ...long, name: 'qa' })).toBe(`${'a'.repeat(60)}-qa`);
  });

  it('is a host name label, whatever the names', () => {
    for (const name of randomNames(3000)) {
      const applicationSlug = slugOf(name + name);
      const wanted = wantedSubdomain({ isProduction: false, applicationSlug, name });
      expect(wanted).toMatch(LABEL);
      expect(wanted).not.toMatch(/--/);
    }
  });
});

describe('the candidates for a subdomain', () => {
  it('begin with the wanted name and go on with ones nobody can foresee', () => {
    const [first, ...others] = [...subdomainCandidates(config, 'shop')];
    expect(first).toBe('shop');
    expect(others.length).toBeGreaterThan(5);
    expect(new Set(others).size).toBe(others.length);
    for (const other of others) expect(other).toMatch(/^shop-[a-z2-9]{6}$/);
  });

  it('never are longer than a label may be', () => {
    for (const wanted of ['a'.repeat(63), `${'a'.repeat(55)}-bbbbbbb`]) {
      for (const candidate of subdomainCandidates(config, wanted)) expect(candidate).toMatch(LABEL);
    }
  });

  it.each(['www', 'api', 'console', 'admin', 'localhost', 'mail', 'ns1', 'www2', 'app', 'lilac'])(
    'leave out %s, which is reserved',
    (label) => {
      const candidates = [...subdomainCandidates(config, label)];
      expect(candidates).not.toContain(label);
      expect(candidates[0]).toMatch(new RegExp(`^${label}-[a-z2-9]{6}$`));
    },
  );

  it("leave out the platform's own host where it lies below the domain of applications", () => {
    const below = readConfig({ LILAC_PUBLIC_URL: 'https://hub.example.org', LILAC_APPS_DOMAIN: 'example.org' });
    const deep = readConfig({ LILAC_PUBLIC_URL: 'https://eu.hub.example.org', LILAC_APPS_DOMAIN: 'example.org' });
    expect([below, deep, config].map((each) => isReserved(each, 'hub'))).toEqual([true, true, false]);
    expect(isReserved(below, 'hubs')).toBe(false);
  });

  it('is not where the databases are, nor above that', () => {
    const apps = { LILAC_APPS_DOMAIN: 'apps.example.org' };
    const at = readConfig({ ...apps, LILAC_DATABASE_HOST: 'Data.apps.example.org' });
    const below = readConfig({ ...apps, LILAC_DATABASE_HOST: 'eu.data.apps.example.org' });
    expect([at, below, config].map((each) => isReserved(each, 'data'))).toEqual([true, true, false]);
    expect(['db', 'db2', 'postgres', 'mysql'].every((label) => isReserved(config, label))).toBe(true);
  });
});

const ALPHABET = 'a b X Z 0 9 - _ . / \\ \' " $ % < \0 \n é Å ß ø Ł ı İ ﬁ 日 本 ж ш ع \u0301 \u200D 🌷 \uD800'.split(
  ' ',
);
ALPHABET.push(' ');

/** The same in every run: a linear congruential generator. */
function* randomNames(count: number): Generator<string> {
  let state = 20_260_101;
  const next = (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  for (let index = 0; index < count; index++) {
    yield Array.from({ length: 1 + next(100) }, () => ALPHABET[next(ALPHABET.length)]).join('');
  }
}
