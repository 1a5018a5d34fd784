import { describe, expect, it } from 'vitest';
import type { Route } from '../../routing/route.ts';
import { keyOfDomain } from '../address-key.ts';
import { RouteTable } from './route-table.ts';

const shop: Route = {
  environmentId: 'env_1',
  subdomain: 'shop',
  target: null,
  lock: null,
  accessLog: false,
  domain: '*.example.org',
  atSubdomain: true,
  version: 1,
};
const blog: Route = { ...shop, environmentId: 'env_2', subdomain: 'blog', domain: 'blog.example.org' };

/** How often it was told that names are lost, after each of these. */
function tellings(...routes: Route[]): number[] {
  const table = new RouteTable();
  let count = 0;
  table.watchNames(() => count++);
  return routes.map((route) => {
    table.set(route);
    return count;
  });
}

describe('a table of routes tells that an address leads elsewhere', () => {
  it.each([
    ['its domain is taken away', { ...shop, domain: null }],
    ['it has another domain', { ...shop, domain: 'www.example.org' }],
    ['it is renamed', { ...shop, subdomain: 'store' }],
    ['its generated address is switched off', { ...shop, atSubdomain: false }],
    ['it is gone', { ...shop, subdomain: null, domain: null }],
    ['another has a name below its star', blog],
  ])('when %s', (_what, change) => {
    expect(tellings(shop, change)).toEqual([0, 1]);
  });

  it('and not when a new release answers at the same, or another environment comes', () => {
    const target = { kind: 'static', artifactId: 'art_2', deploymentId: 'dep_2', revision: 2 } as const;
    expect(tellings(shop, { ...shop, target }, { ...blog, domain: 'blog.test' })).toEqual([0, 0, 0]);
  });
});

it('an address leads to an environment unless it is a generated one that is switched off', () => {
  const table = new RouteTable();
  table.set({ ...shop, atSubdomain: false });
  expect(table.environmentAt('shop')).toBeUndefined();
  expect(table.environmentAt(keyOfDomain('a.example.org'))).toBe('env_1');
  expect(table.environmentAt(keyOfDomain('example.org'))).toBeUndefined();
});
