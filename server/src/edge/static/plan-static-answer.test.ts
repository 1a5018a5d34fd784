import { describe, expect, it } from 'vitest';
import type { StaticFile, StaticManifest } from '../../artifacts/static-manifest.ts';
import { planStaticAnswer } from './plan-static-answer.ts';
import { Site } from './site.ts';
import type { StaticRequest } from './static-answer.ts';

const plain: StaticFile = {
  hash: 'a'.repeat(64),
  size: 100,
  type: 'text/html; charset=utf-8',
  isImmutable: false,
  variants: {},
};
const fileOf = (digit: string, rest: Partial<StaticFile> = {}): StaticFile => ({
  ...plain,
  hash: digit.repeat(64),
  ...rest,
});

const files = {
  '/index.html': fileOf('1'),
  '/about.html': fileOf('2'),
  '/docs/index.html': fileOf('3'),
  '/a b.html': fileOf('4'),
  '/app-3f9c.js': fileOf('5', {
    isImmutable: true,
    type: 'text/javascript; charset=utf-8',
    variants: { br: { hash: 'b'.repeat(64), size: 10 }, gzip: { hash: 'c'.repeat(64), size: 20 } },
  }),
  '/empty.txt': fileOf('6', { size: 0 }),
};

function siteOf(rest: Partial<StaticManifest> = {}): Site {
  return new Site({ version: 1, artifactId: 'art_1', files, isSinglePage: false, redirects: [], headers: [], ...rest });
}

function ask(site: Site, target: string, rest: Partial<StaticRequest> = {}) {
  const conditions = { ifMatch: '', ifNoneMatch: '', ifRange: '', range: '' };
  const nothing = {
    accept: '',
    acceptEncoding: '',
    cookie: '',
    probe: '',
    counters: null,
    access: null,
    ...conditions,
  };
  const answer = planStaticAnswer(site, { method: 'GET', target, ...nothing, ...rest });
  const lines = answer.head.split('\r\n').slice(1, -1);
  const headers = Object.fromEntries(lines.map((line) => line.split(/: (.*)/s).slice(0, 2) as [string, string]));
  const blob = answer.body && !Buffer.isBuffer(answer.body) ? answer.body : null;
  const text = Buffer.isBuffer(answer.body) ? answer.body.toString() : '';
  return { ...answer, headers, text, blob, digit: blob?.hash[0] };
}

describe('a path', () => {
  const site = siteOf();

  it.each([
    ['/', '1'],
    ['/index.html', '1'],
    ['/about', '2'],
    ['/about.html', '2'],
    ['/docs/', '3'],
    ['/docs/index.html', '3'],
    ['/a%20b', '4'],
    ['//about', '2'],
    ['/%61bout?x=1', '2'],
    ['/about?x=/../..', '2'],
  ])('%s is answered with the file', (target, digit) => {
    expect(ask(site, target)).toMatchObject({ status: 200, digit });
    expect(ask(site, target), 'asked again').toMatchObject({ status: 200, digit });
  });

  it.each([
    ['/docs', '/docs/'],
    ['/docs?a=b', '/docs/?a=b'],
    ['/about/', '/about'],
    ['/a%20b/', '/a%20b'],
    ['//docs', '/docs/'],
  ])('%s leads to %s, where the file is', (target, location) => {
    expect(ask(site, target)).toMatchObject({ status: 308, headers: { Location: location } });
  });

  it.each(['/nothing', '/app-3f9c', '/.html', '/docs/about', '/index.html/', '/_headers'])('404 for %s', (target) => {
    const withRules = siteOf({ files: { ...files, '/_headers': plain } });
    expect(ask(withRules, target).status).toBe(target === '/index.html/' ? 308 : 404);
  });

  it.each(['/../etc/passwd', '/docs/../about', '/%2e%2e/about', '/a%2fb', '/%zz', '/%ff', '/a%00', '/./about', '/a#b'])(
    '400 for %s, which is no path of a file',
    (target) => expect(ask(site, target).status).toBe(400),
  );
});

describe('what is not there', () => {
  it('is answered with 404.html, which has no validator', () => {
    const site = siteOf({ files: { ...files, '/404.html': fileOf('9') } });
    const answer = ask(site, '/nothing', { ifNoneMatch: '*', range: 'bytes=0-1' });
    expect(answer).toMatchObject({ status: 404, digit: '9' });
    expect(answer.headers).not.toHaveProperty('ETag');
  });

  it('is the page of an application that routes by itself', () => {
    const site = siteOf({ isSinglePage: true });
    expect(ask(site, '/users/jane.doe')).toMatchObject({ status: 200, digit: '1' });
    expect(ask(site, '/about')).toMatchObject({ status: 200, digit: '2' });
  });

  it('is 404 even there when it looks like a part of a page', () => {
    const site = siteOf({ isSinglePage: true });
    for (const path of ['/assets/gone-1234.js', '/logo.png', '/style.CSS']) expect(ask(site, path).status).toBe(404);
  });

  it('is a page for a person, and JSON for a program', () => {
    expect(ask(siteOf(), '/nothing', { accept: 'text/html,*/*' }).headers['Content-Type']).toContain('text/html');
    expect(JSON.parse(ask(siteOf(), '/nothing').text)).toMatchObject({ code: 'NF001' });
  });
});

describe('a method', () => {
  it('405 with Allow for what changes things', () => {
    const answer = ask(siteOf(), '/', { method: 'POST' });
    expect(answer).toMatchObject({ status: 405, headers: { Allow: 'GET, HEAD, OPTIONS' } });
  });

  it('204 with Allow for OPTIONS', () => {
    expect(ask(siteOf(), '*', { method: 'OPTIONS' })).toMatchObject({ status: 204, body: null });
  });
});

describe('caching', () => {
  it('is for ever where the name carries the hash, and asks first elsewhere', () => {
    expect(ask(siteOf(), '/app-3f9c.js').headers['Cache-Control']).toBe('public, max-age=31536000, immutable');
    expect(ask(siteOf(), '/').headers['Cache-Control']).toBe('public, max-age=0, must-revalidate');
  });

  it('304 for the tag, in a list, weak, or any', () => {
    const { ETag: tag } = ask(siteOf(), '/').headers;
    for (const ifNoneMatch of [tag!, `"x", ${tag}`, `W/${tag}`, '*']) {
      const answer = ask(siteOf(), '/', { ifNoneMatch });
      expect(answer).toMatchObject({ status: 304, body: null, headers: { ETag: tag } });
      expect(answer.headers).not.toHaveProperty('Content-Length');
    }
    expect(ask(siteOf(), '/', { ifNoneMatch: '"x"' }).status).toBe(200);
  });

  it('412 when If-Match names another, or this one weakly', () => {
    const { ETag: tag } = ask(siteOf(), '/').headers;
    expect(ask(siteOf(), '/', { ifMatch: tag! }).status).toBe(200);
    expect(ask(siteOf(), '/', { ifMatch: '"x"' }).status).toBe(412);
    expect(ask(siteOf(), '/', { ifMatch: `W/${tag}` }).status).toBe(412);
  });
});

describe('compressed forms', () => {
  it.each([
    ['', '5'],
    ['identity', '5'],
    ['gzip', 'c'],
    ['gzip, deflate, br', 'b'],
    ['br;q=0.5, gzip', 'c'],
    ['br;q=0, gzip;q=0', '5'],
    ['*', 'b'],
    ['*;q=0.1, identity', '5'],
    ['BR', 'b'],
    ['br;q=junk, gzip;q=0.1', 'c'],
  ])('"%s" gets the form %s', (acceptEncoding, digit) => {
    expect(ask(siteOf(), '/app-3f9c.js', { acceptEncoding }).digit).toBe(digit);
  });

  it('each have a tag of their own, and say what they depend on', () => {
    const [br, none] = ['br', ''].map((acceptEncoding) => ask(siteOf(), '/app-3f9c.js', { acceptEncoding }));
    expect(br!.headers).toMatchObject({ 'Content-Encoding': 'br', Vary: 'Accept-Encoding', 'Content-Length': '10' });
    expect(none!.headers).toMatchObject({ Vary: 'Accept-Encoding', 'Content-Length': '100' });
    expect(br!.headers['ETag']).not.toBe(none!.headers['ETag']);
    expect(ask(siteOf(), '/').headers).not.toHaveProperty('Vary');
  });

  it('304 for who has kept the plain form, with its tag', () => {
    const { ETag: tag } = ask(siteOf(), '/app-3f9c.js').headers;
    const answer = ask(siteOf(), '/app-3f9c.js', { acceptEncoding: 'br', ifNoneMatch: tag! });
    expect(answer).toMatchObject({ status: 304, headers: { ETag: tag } });
  });
});

describe('ranges', () => {
  it.each([
    ['bytes=0-9', 0, 10],
    ['bytes=90-', 90, 100],
    ['bytes=-10', 90, 100],
    ['bytes=-1000', 0, 100],
    ['bytes=50-1000', 50, 100],
    ['Bytes = 0-0', 0, 1],
  ])('206 for %s', (range, start, end) => {
    const answer = ask(siteOf(), '/', { range });
    expect(answer).toMatchObject({ status: 206, blob: { start, end } });
    expect(answer.headers).toMatchObject({
      'Content-Range': `bytes ${start}-${end - 1}/100`,
      'Content-Length': String(end - start),
    });
  });

  it.each(['bytes=100-', 'bytes=-0', 'bytes=100-200'])('416 for %s', (range) => {
    expect(ask(siteOf(), '/', { range })).toMatchObject({ status: 416, headers: { 'Content-Range': 'bytes */100' } });
  });

  it.each(['bytes=0-1,3-4', 'lines=1-2', 'bytes=9-1', 'bytes=', 'bytes=a-b'])('200 with everything for %s', (range) => {
    expect(ask(siteOf(), '/', { range })).toMatchObject({ status: 200, blob: { start: 0, end: 100 } });
  });

  it('200 with everything when the file is not the one that was begun', () => {
    const { ETag: tag } = ask(siteOf(), '/').headers;
    expect(ask(siteOf(), '/', { range: 'bytes=5-', ifRange: tag! }).status).toBe(206);
    for (const ifRange of ['"x"', `W/${tag}`, 'Sun, 06 Nov 1994 08:49:37 GMT']) {
      expect(ask(siteOf(), '/', { range: 'bytes=5-', ifRange }).status).toBe(200);
    }
  });

  it('mean nothing to HEAD, nor to an empty file', () => {
    expect(ask(siteOf(), '/', { method: 'HEAD', range: 'bytes=0-1' }).status).toBe(200);
    expect(ask(siteOf(), '/empty.txt')).toMatchObject({ status: 200, body: null, headers: { 'Content-Length': '0' } });
  });
});

describe('_redirects', () => {
  const redirects: StaticManifest['redirects'] = [
    { from: '/old', to: '/new', status: 301, isForced: false },
    { from: '/about', to: '/elsewhere', status: 302, isForced: false },
    { from: '/docs/*', to: 'https://docs.example.org/:splat?from=here', status: 302, isForced: true },
    { from: '/blog/:year/:slug', to: '/posts/:slug#y:year', status: 308, isForced: false },
    { from: '/go/*', to: '/:splat', status: 302, isForced: false },
    { from: '/app/*', to: '/about.html', status: 200, isForced: false },
    { from: '/secret/*', to: '/docs/', status: 404, isForced: false },
    { from: '/lost', to: '/nowhere.html', status: 200, isForced: false },
    { from: '/api/*', to: 'https://api.example.org/:splat', status: 200, isForced: false },
  ];
  const site = siteOf({ redirects });
  const locationOf = (target: string) => ask(site, target).headers['Location'];

  it('lead elsewhere, and keep the query unless they name one', () => {
    expect(ask(site, '/old?a=b')).toMatchObject({ status: 301, headers: { Location: '/new?a=b' } });
    expect(locationOf('/old/')).toBe('/new');
    expect(locationOf('/docs/a/b%20c?x=y')).toBe('https://docs.example.org/a/b%20c?from=here');
    expect(locationOf('/blog/2024/caf%C3%A9?a')).toBe('/posts/caf%C3%A9?a#y2024');
  });

  it('give way to files, unless they are forced', () => {
    expect(ask(site, '/about')).toMatchObject({ status: 200, digit: '2' });
    expect(ask(site, '/docs/').status).toBe(302);
  });

  it('serve another file at this address, with its status', () => {
    expect(ask(site, '/app/any/thing')).toMatchObject({ status: 200, digit: '2' });
    expect(ask(site, '/secret/x')).toMatchObject({ status: 404, digit: '3' });
    expect(ask(site, '/lost').status).toBe(404);
  });

  it('never lead to a host that the visitor named', () => {
    for (const target of ['/go//evil.example', '/go/%2Fevil.example', '/go/\\evil.example', '/go/%5Cevil.example']) {
      expect(locationOf(target) ?? '').not.toMatch(/^[/\\]{2}|^\/\\/);
    }
    expect(locationOf('/go//evil.example')).toBe('/evil.example');
  });

  it('that want another host served here are none', () => {
    expect(ask(site, '/api/x').status).toBe(404);
  });
});

describe('_headers', () => {
  const headers: StaticManifest['headers'] = [
    {
      path: '/*',
      headers: [
        ['X-Frame-Options', 'DENY'],
        ['Cache-Control', 'no-store'],
      ],
    },
    {
      path: '/docs/*',
      headers: [
        ['cache-control', 'public, max-age=60'],
        ['Set-Cookie', 'a=1'],
        ['Set-Cookie', 'b=2'],
      ],
    },
    {
      path: '/about',
      headers: [
        ['Content-Length', '1'],
        ['Transfer-Encoding', 'chunked'],
        ['Connection', 'close'],
        ['Date', 'never'],
        ['X-Bad', 'a\r\nInjected: 1'],
        ['Bad Name', 'x'],
        ['Vary', 'Origin'],
      ],
    },
    { path: '/app-3f9c.js', headers: [['Vary', 'Origin']] },
  ];
  const site = siteOf({ headers });

  it('apply in their order, and replace what we would say', () => {
    expect(ask(site, '/').headers).toMatchObject({ 'X-Frame-Options': 'DENY', 'Cache-Control': 'no-store' });
    const { head } = ask(site, '/docs/');
    expect(head).toContain('cache-control: public, max-age=60\r\n');
    expect(head.match(/cache-control/gi)).toHaveLength(1);
    expect(head).toContain('Set-Cookie: a=1\r\nSet-Cookie: b=2\r\n');
  });

  it('cannot break the framing of an answer', () => {
    const { head, headers: said } = ask(site, '/about');
    expect(said['Content-Length']).toBe('100');
    expect(head).not.toMatch(/Transfer-Encoding|Connection|Date|Injected|Bad/);
    expect(said['Vary']).toBe('Origin');
    expect(ask(site, '/app-3f9c.js').headers['Vary']).toBe('Accept-Encoding, Origin');
  });
});
