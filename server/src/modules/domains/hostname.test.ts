import { describe, expect, it } from 'vitest';
import { readConfig } from '../../config.ts';
import { probeNameOf, readHostname } from './hostname.ts';

const config = readConfig({ LILAC_PUBLIC_URL: 'https://hub.example.org', LILAC_APPS_DOMAIN: 'apps.example.org' });
const refusal = (message: RegExp) =>
  expect.objectContaining({ code: 'VA001', message: expect.stringMatching(message) });

describe('a domain of one’s own', () => {
  it.each([
    ['www.example.com', 'www.example.com'],
    ['WWW.Example.COM.', 'www.example.com'],
    [' www.example.com ', 'www.example.com'],
    ['bücher.example.com', 'xn--bcher-kva.example.com'],
    ['BÜCHER.example.com', 'xn--bcher-kva.example.com'],
    ['xn--bcher-kva.example.com', 'xn--bcher-kva.example.com'],
    ['例え.テスト', 'xn--r8jz45g.xn--zckzah'],
    ['example.org', 'example.org'],
    ['notapps.example.org', 'notapps.example.org'],
    ['*.example.com', '*.example.com'],
    ['*.Bücher.example.com.', '*.xn--bcher-kva.example.com'],
    ['1.example.com', '1.example.com'],
  ])('%s is kept as %s', (text, host) => {
    expect(readHostname(config, 'domain', text)).toBe(host);
  });

  it.each([
    'https://example.com',
    'example.com/path',
    'example.com:80',
    'user@example.com',
    'example',
    '10.0.0.1',
    '0x7f.1',
    '[::1]',
    '::1',
    'a..b',
    '-a.example.com',
    '_dmarc.example.com',
    'exa mple.com',
    `${'a'.repeat(64)}.example.com`,
    `${'a.'.repeat(125)}example.com`,
    '.',
    '*',
    '*.',
    '*.com',
    '*.*.example.com',
    'www.*.example.com',
    'w*.example.com',
    '*.10.0.0.1',
    '',
  ])('%s is refused', (text) => {
    expect(() => readHostname(config, 'domain', text)).toThrow(refusal(/^domain must be a host name/));
  });

  it.each([
    'nas.local',
    'db.corp.internal',
    'www.shop.test',
    'a.invalid',
    'b.example',
    'c.onion',
    'd.home.arpa',
    '*.e.local',
  ])('%s can be reached by nobody outside', (text) => {
    expect(() => readHostname(config, 'domain', text)).toThrow(
      refusal(/^domain must be a domain that the whole world/),
    );
  });

  it('that only the operator’s own DNS has is taken where the platform has such a name too', () => {
    const inside = readConfig({ LILAC_PUBLIC_URL: 'https://hub.corp.internal', LILAC_APPS_DOMAIN: 'apps.example.org' });
    expect(readHostname(inside, 'domain', 'wiki.corp2.internal')).toBe('wiki.corp2.internal');
    expect(() => readHostname(inside, 'domain', 'nas.local')).toThrow(refusal(/end with \.local/));
  });

  it.each([
    'hub.example.org',
    'apps.example.org',
    'x.apps.example.org',
    'X.APPS.example.org.',
    '*.apps.example.org',
    '*.x.apps.example.org',
    // It would cover the platform's own.
    '*.example.org',
    'shop.localhost',
    '*.shop.localhost',
  ])("%s is the platform's own", (text) => {
    expect(() => readHostname(config, 'domain', text)).toThrow(refusal(/belongs to this platform/));
  });
});

it.each(['db.example.net', 'DB.example.net.', 'x.db.example.net', '*.db.example.net', '*.example.net'])(
  '%s is where the databases are, or covers it',
  (text) => {
    const databases = readConfig({
      LILAC_PUBLIC_URL: 'https://hub.example.org',
      LILAC_DATABASE_HOST: 'db.example.net',
    });
    expect(() => readHostname(databases, 'domain', text)).toThrow(refusal(/belongs to this platform/));
  },
);

it('looks a wildcard up at a name below it that nobody can know', () => {
  const [one, other] = [probeNameOf('*.example.com'), probeNameOf('*.example.com')];
  expect(one).toMatch(/^lilac-[0-9a-f]{12}\.example\.com$/);
  expect(other).not.toBe(one);
  expect(probeNameOf('www.example.com')).toBe('www.example.com');
});
