import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseHeaders } from './parse-headers.ts';

describe('a file of _headers', () => {
  it('gives headers to paths, in their order, repeated names and all', () => {
    const text = `# for all
/*
  X-Frame-Options: DENY
  Link: </a.css>; rel=preload
  Link: </b.js>; rel=preload

/assets/:name/*   
	Cache-Control:  public, max-age=60   # not a comment in a value
/caf%C3%A9
  X-One: a: b
`;
    expect(parseHeaders(text)).toEqual({
      rules: [
        {
          path: '/*',
          headers: [
            ['X-Frame-Options', 'DENY'],
            ['Link', '</a.css>; rel=preload'],
            ['Link', '</b.js>; rel=preload'],
          ],
        },
        {
          path: '/assets/:name/*',
          headers: [['Cache-Control', 'public, max-age=60   # not a comment in a value']],
        },
        { path: '/café', headers: [['X-One', 'a: b']] },
      ],
      problems: [],
    });
  });

  it('may leave out the indentation', () => {
    expect(parseHeaders('/a\nX-One: 1\n/b\nX-Two: 2').rules).toHaveLength(2);
  });

  it.each([
    ['  Content-Length: 5', /set by the platform/],
    ['  transfer-encoding: chunked', /set by the platform/],
    ['  ETag: "x"', /set by the platform/],
    ['  X Y: 1', /cannot be the name/],
    ['  : 1', /cannot be the name/],
    ['  X-One:', /has no value/],
    ['  ! X-One', /no header/],
    ['  X-One: naïve', /cannot carry/],
    ['  X-One: a\u0000b', /cannot carry/],
    [`  X-One: ${'a'.repeat(5000)}`, /longer than/],
  ])('%j is told and left out', (line, reason) => {
    const { rules, problems } = parseHeaders(`/a\n  X-First: 1\n${line}\n  X-Last: 1\n`);
    expect(rules).toEqual([
      {
        path: '/a',
        headers: [
          ['X-First', '1'],
          ['X-Last', '1'],
        ],
      },
    ]);
    expect(problems).toEqual([{ line: 3, reason: expect.stringMatching(reason) as string }]);
  });

  it('tells a path that cannot be used, and leaves out what stands below it', () => {
    const text = '/a\n  X-One: 1\nhttps://example.org/b\n  X-Two: 2\n/*.js\n  X-Three: 3\n/c\n  X-Four: 4\n';
    const { rules, problems } = parseHeaders(text);
    expect(rules.map(({ path }) => path)).toEqual(['/a', '/c']);
    expect(problems).toEqual([
      { line: 3, reason: expect.stringContaining('other hosts') as string },
      { line: 5, reason: expect.stringContaining('at the end') as string },
    ]);
  });

  it('tells a header above the first path, and a path with nothing below it', () => {
    expect(parseHeaders('  X-One: 1\n/a\n/b\n  X-Two: 2')).toEqual({
      rules: [{ path: '/b', headers: [['X-Two', '2']] }],
      problems: [
        { line: 1, reason: 'it stands below no path.' },
        { line: 2, reason: 'no header that can be used stands below it.' },
      ],
    });
  });

  it('never makes a header that could end a line, whatever it holds', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
        for (const { headers } of parseHeaders(`/a\n X: ${text}\n ${text}: y\n${text}`).rules) {
          for (const [name, value] of headers) {
            expect(name).toMatch(/^[\x21-\x7e]+$/);
            expect(value).toMatch(/^[\t\x20-\x7e]+$/);
          }
        }
      }),
    );
  });
});
