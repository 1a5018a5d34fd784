import { describe, expect, it } from 'vitest';
import { keyOfDomain } from '../address-key.ts';
import { createHttpsRules } from './https-rules.ts';

const DOMAIN = 'www.example.org';

function rulesOf(publicUrl: string, port: number, hstsSeconds: number | null = null) {
  const publicNames = new Set([DOMAIN, 'shop.apps.test', 'lilac.test']);
  const config = {
    publicUrl: new URL(publicUrl),
    appsDomain: 'apps.test',
    tls: { port, isPortRequired: true, hstsSeconds },
  };
  const names = { isPublic: (name: string) => publicNames.has(name), isMisdirected: () => false };
  return createHttpsRules({ config, port, names, isTrusted: () => false });
}

const locationOf = (rules: ReturnType<typeof rulesOf>, host: string, path: string) =>
  /Location: (.*)\r\n/.exec(rules.move(host, path).head)?.[1];

describe('from http to https', () => {
  it.each([
    ['http://lilac.test', 7443, ':7443'],
    ['http://lilac.test', 443, ''],
    ['https://lilac.test', 7443, ''],
    ['https://lilac.test:8443', 443, ':8443'],
  ])('of %s with https at %s goes to the port that people reach', (publicUrl, port, suffix) => {
    const rules = rulesOf(publicUrl, port);
    expect(locationOf(rules, `${DOMAIN}:80`, '/a%20b?c')).toBe(`https://${DOMAIN}${suffix}/a%20b?c`);
  });

  it('goes to the host that was asked for, and to no other', () => {
    const rules = rulesOf('https://lilac.test', 443);
    expect(locationOf(rules, 'WWW.Example.ORG.', '//evil.example/')).toBe(`https://${DOMAIN}//evil.example/`);
    expect(locationOf(rules, DOMAIN, '*')).toBe(`https://${DOMAIN}/`);
  });

  it('goes who asks for a domain, always, and for what is the platform’s where its address is https', () => {
    const [plain, secure] = [rulesOf('http://lilac.test', 443), rulesOf('https://lilac.test', 443)];
    for (const rules of [plain, secure]) {
      expect(rules.isForHttps(keyOfDomain(DOMAIN))).toBe(true);
      expect(rules.isForHttps(keyOfDomain('other.example'))).toBe(false);
      expect(rules.isForHttps('other')).toBe(false);
    }
    expect([plain.isForHttps('shop'), plain.isForHttps(null, 'lilac.test')]).toEqual([false, false]);
    expect([secure.isForHttps('shop'), secure.isForHttps(null, 'lilac.test:80')]).toEqual([true, true]);
    expect(secure.isForHttps(null, '127.0.0.1')).toBe(false);
  });
});

it('what browsers are told is switched on by its number of seconds', () => {
  expect(rulesOf('http://lilac.test', 443)).toMatchObject({ strictHeader: null, isStrict: undefined });
  const { strictHeader, isStrict } = rulesOf('http://lilac.test', 443, 60);
  expect(strictHeader).toEqual(['Strict-Transport-Security', 'max-age=60']);
  expect([isStrict!(`${DOMAIN}:443`), isStrict!('other.example')]).toEqual([true, false]);
});
