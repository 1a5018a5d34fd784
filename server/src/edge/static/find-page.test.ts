import { describe, expect, it } from 'vitest';
import { parseRedirects } from '../../artifacts/parse-redirects.ts';
import type { RedirectRule, StaticFile } from '../../artifacts/static-manifest.ts';
import { findPage } from './find-page.ts';
import { readRequestPath } from './request-path.ts';
import { Site } from './site.ts';

const PAGES = ['/index.html', '/closed.html', '/en/x.html', '/a/q.html', '/a/b/there.html', '/docs/index.html'];

const fileOf = (path: string): StaticFile => ({
  hash: path,
  size: 1,
  type: 'text/html',
  isImmutable: false,
  variants: {},
});

function siteOf(redirects: RedirectRule[]): Site {
  const files = Object.fromEntries(PAGES.map((path) => [path, fileOf(path)]));
  return new Site({ version: 1, artifactId: 'art_1', files, isSinglePage: false, redirects, headers: [] });
}

/** The file that answers, or where a browser is sent. */
function find(site: Site, target: string): string {
  const found = findPage(site, readRequestPath(target)!);
  if (found.kind === 'page') return found.page.identity.hash;
  return found.kind === 'redirect' ? `${found.status} ${found.location}` : 'nothing';
}

/** Follows redirects as browsers do. */
function visit(site: Site, target: string): string {
  let [at, hops] = [target, 0];
  for (; hops <= 20; hops++) {
    const [, location] = /^3\d\d (.*)/.exec(find(site, at)) ?? [];
    if (location === undefined) return find(site, at);
    at = location;
  }
  return 'too many redirects';
}

const rulesOf = (text: string): RedirectRule[] => {
  const { rules, problems } = parseRedirects(text);
  expect(problems).toEqual([]);
  return rules;
};
/** As a site may have it that was packed when such rules were still taken. */
const forced = (from: string, to: string): RedirectRule => ({ from, to, status: 301, isForced: true });

describe('a redirect', () => {
  it.each([
    ['sends everybody to one page, which answers', '/* /closed.html 302!', '/else?q', '302 /closed.html?q'],
    ['does not send that page to itself', '/* /closed.html 302!', '/closed.html', '/closed.html'],
    ['nor the same page by its other name', '/* /closed 302!', '/closed/', '308 /closed'],
    ['nor written in another way', '/* /closed.html 302!', '/%63losed.html', '/closed.html'],
    ['nor by a way round', '/* /x/../closed.html 302!', '/closed.html', '/closed.html'],
    ['sends all languages to one', '/:lang/x /en/x 301!', '/fr/x', '301 /en/x'],
    ['but not that one', '/:lang/x /en/x 301!', '/en/x', '/en/x.html'],
    ['leaves its own target to the next rule', '/:lang/y /en/y\n/* /index.html 200', '/en/y', '/index.html'],
    ['leads further down where something is', '/a/* /a/b/:splat', '/a/there', '301 /a/b/there'],
    ['and not where nothing ever is', '/a/* /a/b/:splat', '/a/nothing', 'nothing'],
    ['does not lead to and fro', '/one /two\n/two /one', '/one', 'nothing'],
    ['leads to a place that would', '/start /one\n/one /two\n/two /one', '/start', '301 /one'],
    [
      'leads to other hosts, whatever their paths',
      '/* https://other.test/:splat 301!',
      '/a/q',
      '301 https://other.test/a/q',
    ],
    ['does not become endless', `/a/* /b${'/:splat'.repeat(2000)}`, `/a/${'x'.repeat(2000)}`, 'nothing'],
  ])('%s', (_what, text, target, expected) => {
    expect(find(siteOf(rulesOf(text)), target)).toBe(expected);
  });

  it.each([
    [forced('/a/*', '/a/b/:splat'), '/a/q', '/a/q.html'],
    [forced('/docs/*', '/docs'), '/docs/', '/docs/index.html'],
    [forced('/docs/*', '/docs'), '/docs/else', '/docs/index.html'],
    [forced('/docs', '/docs/'), '/docs', '/docs/index.html'],
    [forced('/*', '/:splat/:splat'), '/a/q', '/a/q.html'],
    [forced('/*', '/:splat/'), '/a/q', '/a/q.html'],
  ])('%j has an end at %s', (rule, target, expected) => {
    expect(visit(siteOf([rule]), target)).toBe(expected);
  });

  it.each(['/a/q', '/', '/one', '/en/x', '/closed', '/docs', '/docs/', '/a/b/there/', '/else/%C3%A9'])(
    'has an end at %s, whatever rules there are together',
    (target) => {
      const patterns = ['/*', '/:x/x', '/a/*', '/one', '/two', '/docs/*', '/en/*'];
      const targets = ['/closed', '/one', '/two', '/en/x', '/a/b/there', '/docs', '/docs/'];
      for (let seed = 0; seed < 500; seed++) {
        const pick = (from: readonly string[], salt: number) =>
          from[(seed * 31 + salt * salt * 7 + seed * salt) % from.length]!;
        const rules = Array.from({ length: 4 }, (_, at) => ({
          ...forced(pick(patterns, at), pick(targets, at + 5)),
          isForced: (seed + at) % 3 > 0,
        }));
        expect({ rules, end: visit(siteOf(rules), target) }).not.toEqual({ rules, end: 'too many redirects' });
      }
    },
  );
});

describe('another file in place of the one asked for', () => {
  it('is looked up once, and no further rule applies to it', () => {
    const site = siteOf(rulesOf('/a /b 200\n/b /a 200\n/* /docs 200!'));
    expect(find(site, '/a')).toBe('nothing');
    expect(find(site, '/docs')).toBe('/docs/index.html');
  });

  it('has no endless name', () => {
    const site = siteOf(rulesOf(`/a/* ${'/:splat'.repeat(2000)} 200`));
    expect(find(site, `/a/${'x'.repeat(2000)}`)).toBe('nothing');
  });
});
