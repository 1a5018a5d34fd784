import { describe, expect, it } from 'vitest';
import { parseHeaders } from '../../artifacts/parse-headers.ts';
import { parseRedirects } from '../../artifacts/parse-redirects.ts';
import type { HeaderRule, RedirectRule, StaticFile } from '../../artifacts/static-manifest.ts';
import { filled, growsLinearly } from '../../testing/grows-linearly.ts';
import { planStaticAnswer } from './plan-static-answer.ts';
import { Site } from './site.ts';
import type { StaticRequest } from './static-answer.ts';

const file: StaticFile = { hash: 'a'.repeat(64), size: 1, type: 'text/html', isImmutable: false, variants: {} };
const files = { '/index.html': file, '/404.html': file };

function siteOf(rules: { redirects?: RedirectRule[]; headers?: HeaderRule[] }): Site {
  return new Site({
    version: 1,
    artifactId: 'art_1',
    files,
    isSinglePage: false,
    redirects: [],
    headers: [],
    ...rules,
  });
}

function ask(site: Site, target: string) {
  const conditions = { ifMatch: '', ifNoneMatch: '', ifRange: '', range: '' };
  const nothing = { accept: '', acceptEncoding: '', cookie: '', probe: '', counters: null, access: null };
  const request: StaticRequest = { method: 'GET', target, ...nothing, ...conditions };
  return planStaticAnswer(site, request);
}

/** The median of many times. */
function cost(site: Site, pathOf: (turn: number) => string): number {
  const times: number[] = [];
  const until = performance.now() + 300;
  for (let turn = 0; turn < 50 || (turn < 2000 && performance.now() < until); turn++) {
    const target = pathOf(turn);
    const began = performance.now();
    ask(site, target);
    times.push(performance.now() - began);
  }
  return times.toSorted((a, b) => a - b)[times.length >> 1]!;
}

const moved = (from: string, to: string): RedirectRule => ({ from, to, status: 301, isForced: true });
const many = <T>(count: number, make: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at));
const names = (count: number): string => many(count, (at) => `/:n${at}`).join('');
/** Each number another path, all of which match `/a/a/a…`. */
const spread = (number: number, length = 11): string =>
  many(length, (bit) => (((number >> bit) & 1) === 1 ? `/:n${bit}` : '/a')).join('');

const header = (at: number, value = '1'): [string, string] => [`X-${at}`, value];

const MEBIBYTE = 1024 * 1024;

const readBoth = (text: string) => [parseRedirects(text), parseHeaders(text)];

describe('rules that are made to take long', () => {
  const redirects: [string, RedirectRule[], string][] = [
    ['names without end', many(1000, (at) => moved(`${names(200)}/z${at}`, '/x')), '/a'.repeat(201)],
    ['as many names as there may be', many(2000, (at) => moved(`${names(31)}/z${at}`, '/x')), '/a'.repeat(32)],
    [
      'paths that part everywhere',
      many(2000, (at) => moved(`${spread(at)}${'/a'.repeat(20)}/z`, '/x')),
      '/a'.repeat(32),
    ],
    ['rules that all lead back', many(2000, () => moved('/*', '/closed')), '/closed'],
    ['rules that lead back by a way round', many(2000, (at) => moved('/*', `/x${at}/../:splat`)), '/a/b'],
    ['rules that become too long', many(60, () => moved('/*', `/b${'/:splat'.repeat(2000)}`)), `/${'x'.repeat(99)}`],
    [
      'long targets that lead back',
      many(200, (at) => moved('/*', `/x${at}/..${'/:splat/..'.repeat(101)}/:splat`)),
      `/${'\\\\'.repeat(75)}${'a'.repeat(75)}`,
    ],
    ['steps from rule to rule', many(500, (at) => moved(`/:x/${at}`, `/:x/${at + 1}`)), '/a/1'],
    [
      'steps that each lead back first',
      many(500, (at) => moved('/:x/*', `/:x${at % 2 ? '/../:x/:splat' : '/a/:splat'}`)),
      '/a/1',
    ],
  ];

  it.each(redirects)('cost a request no more than fifty times as much as one rule: %s', (_what, rules, path) => {
    const one = cost(siteOf({ redirects: [moved('/old/*', '/new/:splat')] }), () => '/old/a');
    expect(cost(siteOf({ redirects: rules }), () => path) / one).toBeLessThan(50);
  });

  const blocks: [string, HeaderRule[], (turn: number) => string][] = [
    [
      'names without end',
      many(1000, (at) => ({ path: `${names(200)}/z${at}`, headers: [header(at)] })),
      () => '/a'.repeat(201),
    ],
    ['a thousand that match', many(1000, (at) => ({ path: '/*', headers: [header(at)] })), () => '/a'],
    ['very many in one', [{ path: '/*', headers: many(100_000, (at) => header(at)) }], () => '/a'],
    ['long ones', many(250, (at) => ({ path: '/*', headers: [header(at, 'x'.repeat(4000))] })), () => '/a'],
    [
      'others at each address',
      many(20, (at) => ({
        path: `${names(at)}/a/*`,
        headers: many(20, (n) => header(at * 20 + n)),
      })),
      (turn) => many(20, (bit) => (((turn >> bit) & 1) === 1 ? '/a' : '/b')).join(''),
    ],
  ];

  it.each(blocks)('cost a page no more than a hundred times as much as one header: %s', (_what, rules, pathOf) => {
    const few = [{ path: '/*', headers: [header(1)] }];
    const one = cost(siteOf({ headers: few }), (turn) => `/${turn}`);
    expect(cost(siteOf({ headers: rules }), pathOf) / one).toBeLessThan(100);
  });

  it('are told in the log of the build, with the line and what to do', () => {
    const crowd = many(300, (at) => `/:x/* /y${at}/:splat`);
    const { rules, problems } = parseRedirects([`${names(33)} /x`, ...crowd, '/old /new'].join('\n'));
    expect(rules.at(-1)).toMatchObject({ from: '/old' });
    expect(problems[0]).toEqual({
      line: 1,
      reason: expect.stringContaining('at most 32 segments: shorten it') as string,
    });
    expect(problems[1]).toMatchObject({
      reason: expect.stringContaining('would meet too much: write paths in') as string,
    });
    expect(rules.length + problems.length).toBe(302);
    const { rules: kept, problems: told } = parseHeaders(`/*\n${'  X-A: 1\n'.repeat(300)}/a\n  X-B: 2\n`);
    expect(kept).toEqual([{ path: '/a', headers: [['X-B', '2']] }]);
    expect(told).toEqual([{ line: 1, reason: expect.stringContaining('would get too many headers') as string }]);
  });

  it.each([
    ['lines that cannot be used', 'a\n', {}],
    ['paths without headers', '/a\n', {}],
    ['slashes', '/', { before: '/a /b', after: 'c' }],
    ['names', '/:a/:b', { before: '/*', after: ' /x' }],
    ['stars', '*', { before: '/' }],
    ['rules', '/a/:b/* /c/:b/:splat\n', {}],
    ['headers', ' A: 1\n', { before: '/*\n' }],
  ])('do not make whoever reads them wait: %s', async (_what, pump, around) => {
    const make = (length: number) => filled(length, pump, around);
    expect(await growsLinearly({ largest: MEBIBYTE, make, work: readBoth })).toBe(true);
  });

  it('are not read any further where so many cannot be used', () => {
    const junk = 'a\n'.repeat(MEBIBYTE / 2);
    for (const { problems } of [parseRedirects(junk), parseHeaders(junk)]) {
      expect(problems).toHaveLength(5001);
      expect(problems.at(-1)).toEqual({ line: 5001, reason: expect.stringContaining('nothing is read') as string });
    }
    expect(parseRedirects(`/a /b${'/'.repeat(MEBIBYTE - 10)}c`).problems).toEqual([
      { line: 1, reason: expect.stringContaining('longer than 16384 characters') as string },
    ]);
  });

  it('leave a site that was packed before there were limits as it is, but for what is over them', () => {
    const site = siteOf({
      redirects: [moved(names(200), '/x'), moved('/old/*', '/new/:splat'), moved(`/in${'/full'.repeat(200)}`, '/y')],
      headers: [
        { path: `${names(200)}/*`, headers: [['X-Deep', '1']] },
        { path: '/*', headers: [['X-Here', '1']] },
      ],
    });
    expect(ask(site, '/old/a').head).toContain('Location: /new/a\r\n');
    expect(ask(site, `/in${'/full'.repeat(200)}`).head).toContain('Location: /y\r\n');
    const page = ask(site, '/a'.repeat(200));
    expect(page.head).toMatch(/^HTTP\/1\.1 404 /);
    expect(page.head).toContain('X-Here: 1\r\n');
    expect(page.head).not.toContain('X-Deep');
  });

  it('are all taken where people wrote them: two thousand paths, in full or with an end that is open', () => {
    const lines = many(2000, (at) => (at % 2 ? `/blog/${at}/* /articles/${at}/:splat` : `/page-${at} /pages/${at}`));
    const { rules, problems } = parseRedirects(lines.join('\n'));
    expect(problems).toEqual([]);
    const site = siteOf({ redirects: rules });
    expect(ask(site, '/blog/1999/a/b').head).toContain('Location: /articles/1999/a/b\r\n');
    expect(ask(site, '/page-1998/').head).toContain('Location: /pages/1998\r\n');
  });
});
