import { describe, expect, it } from 'vitest';
import { createRouter } from './router.ts';

const route = createRouter({ platformHost: 'lilac.example.org', appsDomain: 'apps.example.org' });

describe('the router', () => {
  it.each([
    'lilac.example.org',
    'LILAC.example.org:7080',
    'lilac.example.org.',
    'localhost',
    'localhost:7080',
    '127.0.0.1',
    '192.0.2.7:7080',
    '[::1]',
    '[2001:db8::1]:7080',
  ])('takes %s for the platform itself', (host) => {
    expect(route(host)).toEqual({ kind: 'platform' });
  });

  it.each([
    ['shop.apps.example.org', 'shop'],
    ['Shop.Apps.Example.Org:7080', 'shop'],
    ['shop--preview.apps.example.org.', 'shop--preview'],
    ['a.b.apps.example.org', 'a.b'],
  ])('takes %s for an application', (host, name) => {
    expect(route(host)).toEqual({ kind: 'app', name });
  });

  it.each([
    ['www.example.com', 'www.example.com.'],
    ['WWW.Example.com.:7443', 'www.example.com.'],
    ['example.org', 'example.org.'],
    ['xn--mnchen-3ya.de', 'xn--mnchen-3ya.de.'],
    ['evil-apps.example.org', 'evil-apps.example.org.'],
    ['lilac.example.org.evil.test', 'lilac.example.org.evil.test.'],
  ])('takes %s for what may be a domain of an application', (host, name) => {
    expect(route(host)).toEqual({ kind: 'app', name });
  });

  it.each([
    undefined,
    '',
    'shop',
    'apps.example.org',
    '.apps.example.org',
    '.example.com',
    'www..example.com',
    'www.example.com..',
    'shop.localhost',
    `${'a.'.repeat(130)}org`,
    '*.example.com',
    'lilac.example.org@evil.test',
    'lilac.example.org:',
    'lilac.example.org:port',
    'lilac.example.org/path',
    'lilac.example.org, evil.test',
    '[::1',
    '[zz]',
  ])('knows nothing of %s', (host) => {
    expect(route(host)).toEqual({ kind: 'unknown' });
  });

  it('takes the platform first where its host lies in the domain of the applications', () => {
    const both = createRouter({ platformHost: 'console.example.org', appsDomain: 'example.org' });
    expect(both('console.example.org')).toEqual({ kind: 'platform' });
    expect(both('shop.example.org')).toEqual({ kind: 'app', name: 'shop' });
  });

  it('serves applications below localhost, and the platform at localhost', () => {
    const local = createRouter({ platformHost: 'localhost', appsDomain: 'localhost' });
    expect(local('shop.localhost:7080')).toEqual({ kind: 'app', name: 'shop' });
    expect(local('localhost:7080')).toEqual({ kind: 'platform' });
  });
});
