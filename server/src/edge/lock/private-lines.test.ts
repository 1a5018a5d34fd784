import { describe, expect, it } from 'vitest';
import { privateLines } from './private-lines.ts';

const PRIVATE = 'Cache-Control: private, no-cache\r\n';

describe('the head of an answer behind a password', () => {
  it.each([
    ['', PRIVATE],
    ['Cache-Control: public, max-age=60\r\ncache-control: s-maxage=9\r\n', PRIVATE],
    ['ETag: "x"\r\nEXPIRES: Thu, 01 Jan 2099 00:00:00 GMT\r\nAge: 1\r\n', `ETag: "x"\r\nAge: 1\r\n${PRIVATE}`],
    ['Surrogate-Control: max-age=60\r\nCDN-Cache-Control: max-age=60\r\nX-Accel-Expires: 60\r\n', PRIVATE],
    ['Cloudflare-CDN-Cache-Control: max-age=60\r\n', PRIVATE],
    ['X-Note: Cache-Control: public\r\n', `X-Note: Cache-Control: public\r\n${PRIVATE}`],
    ['Cache-Control: No-Store\r\n', 'Cache-Control: private, no-cache, no-store\r\n'],
    ['Cache-Control: no-cache, no-transform\r\n', 'Cache-Control: private, no-cache, no-transform\r\n'],
  ])('%j becomes %j', (lines, expected) => {
    expect(privateLines(lines)).toBe(expected);
  });
});
