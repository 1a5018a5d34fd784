import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseRedirects } from './parse-redirects.ts';

describe('a line of _redirects', () => {
  it.each([
    ['/old /new', { from: '/old', to: '/new', status: 301, isForced: false }],
    ['  /old\t/new  302  ', { from: '/old', to: '/new', status: 302, isForced: false }],
    ['/old /new 307!', { from: '/old', to: '/new', status: 307, isForced: true }],
    ['/* /index.html 200', { from: '/*', to: '/index.html', status: 200, isForced: false }],
    ['/gone /404.html 404', { from: '/gone', to: '/404.html', status: 404, isForced: false }],
    ['/a/* /b/:splat 308', { from: '/a/*', to: '/b/:splat', status: 308, isForced: false }],
    ['/n/:year/:slug /b/:slug?y=:year', { from: '/n/:year/:slug', to: '/b/:slug?y=:year', status: 301 }],
    ['/out https://example.org:8080/x#y 303', { from: '/out', to: 'https://example.org:8080/x#y', status: 303 }],
    ['/out/* https://example.org/:splat', { from: '/out/*', to: 'https://example.org/:splat' }],
    ['/old /new 301 # why', { from: '/old', to: '/new', status: 301 }],
    ['/old /new#part', { from: '/old', to: '/new#part' }],
    ['/wiki /Help:Contents', { from: '/wiki', to: '/Help:Contents' }],
    ['/caf%C3%A9 /é%20b', { from: '/café', to: '/%C3%A9%20b' }],
    ['/a%2Fb /a%20b.html 200', { from: '/a%2Fb', to: '/a b.html', status: 200 }],
    ['/app/* /app/index.html 302', { from: '/app/*', to: '/app/index.html', status: 302 }],
    ['/* /closed.html 302!', { from: '/*', to: '/closed.html', status: 302, isForced: true }],
    ['/:lang/x /en/x 301', { from: '/:lang/x', to: '/en/x', status: 301 }],
    ['/a/* /a/b/:splat 301', { from: '/a/*', to: '/a/b/:splat', status: 301, isForced: false }],
    ['/a/* /ab/:splat 301!', { from: '/a/*', to: '/ab/:splat', status: 301, isForced: true }],
    ['/* /b/:splat 200!', { from: '/*', to: '/b/:splat', status: 200, isForced: true }],
  ])('%j is a rule', (line, rule) => {
    expect(parseRedirects(line)).toMatchObject({ rules: [rule], problems: [] });
  });

  it.each([
    ['/old', /names no target/],
    ['/old # /new', /names no target/],
    ['/store id=:id /blog/:id 301', /query \("id=:id"\) are not supported/],
    ['/ /anz 302 Country=au', /conditions \("Country=au"\) are not supported/],
    ['/old /new 301 more', /"more" does not belong/],
    ['/old /new 410', /"410" is not a status/],
    ['/old /new forever', /"forever" is not a status/],
    ['old /new', /begins with "\/"/],
    ['https://a.example/old /new', /other hosts/],
    ['/old?x=1 /new', /cannot hold "\?"/],
    ['/a/*/b /new', /only at the end/],
    ['/a* /new', /whole segments/],
    ['/:a/:a /new', /once/],
    ['/old new', /neither a path/],
    ['/old javascript:alert(1)', /neither a path/],
    ['/old //evil.example/x', /neither a path/],
    ['/old https://example.org 200', /must be a path of this site/],
    ['/old /b/:splat', /names ":splat"/],
    ['/:a /b/:c', /names ":c"/],
    ['/same /same', /back to itself/],
    ['/same /same/ 301', /back to itself/],
    ['/same/ /same 302!', /back to itself/],
    ['/same /same?again=1#x 308', /back to itself/],
    ['/é /%C3%A9/', /back to itself/],
    ['/a/* /a/:splat', /back to itself/],
    ['/:lang/x /:lang/x/', /back to itself/],
    ['/a/* /a/b/:splat 301!', /back to itself/],
    ['/a/* /a/:splat/b?c 302!', /back to itself/],
    ['/* /é/:splat 308!', /back to itself/],
    ['/%ff /new', /not a valid path/],
    ['/a%0d%0aX:1 /new', /not a valid path/],
  ])('%j is told and left out', (line, reason) => {
    const { rules, problems } = parseRedirects(`/first /rule\n${line}\n/last /rule`);
    expect(rules).toHaveLength(2);
    expect(problems).toEqual([{ line: 2, reason: expect.stringMatching(reason) as string }]);
  });
});

describe('a file of _redirects', () => {
  it('may have comments, empty lines, a byte order mark and any line ends; its order is kept', () => {
    const { rules, problems } = parseRedirects('\uFEFF# first\r\n\r\n/a /1\r\n   # second\n/b /2\r/c /3');
    expect(rules.map(({ from, to }) => [from, to])).toEqual([
      ['/a', '/1'],
      ['/b', '/2'],
      ['/c', '/3'],
    ]);
    expect(problems).toEqual([]);
  });

  it('has as many rules as are used, and says which are not', () => {
    const { rules, problems } = parseRedirects('/a /b\n'.repeat(2001));
    expect(rules).toHaveLength(2000);
    expect(problems).toEqual([{ line: 2001, reason: 'only the first 2000 rules are used.' }]);
  });

  it('never makes a target that could end a line, whatever it holds', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
        const { rules } = parseRedirects(`/a${text}\n/x ${text} 301\n/y https://h/${text}\n${text}`);
        expect(rules.map(({ from, to }) => from + to).join('')).not.toMatch(/[\r\n\0]/);
        const moved = rules.filter(({ status }) => status >= 300 && status < 400);
        expect(moved.map(({ to }) => to).join('')).toMatch(/^[\x21-\x7e]*$/);
      }),
    );
  });
});
