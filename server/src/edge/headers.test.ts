import { describe, expect, it } from 'vitest';
import { requestHeaders, responseHeaders } from './headers.ts';

const client = { address: '203.0.113.5', protocol: 'http', host: 'lilac.example.org' } as const;
const plain = { isChunked: false, expectsContinue: false };
const ours = ['X-Forwarded-For', '203.0.113.5', 'X-Forwarded-Proto', 'http', 'X-Forwarded-Host', 'lilac.example.org'];

describe('the headers of a request to the api', () => {
  it('keep what the client sent, as it wrote it', () => {
    const raw = ['Host', 'lilac.example.org', 'X-A', '1', 'X-A', '2', 'Content-Length', '3'];
    expect(requestHeaders(raw, client, plain)).toEqual([...raw, ...ours]);
  });

  it('hold one answer to who the client is: ours', () => {
    const names = ['X-Forwarded-For', 'x-forwarded-for', 'Forwarded', 'X-Real-IP', 'X-Forwarded-Proto'];
    const forged = [...names, 'X-FORWARDED-HOST', 'X-Forwarded-Port', 'X-Forwarded-Server'].flatMap((name) => [
      name,
      '6.6.6.6',
    ]);
    expect(requestHeaders(forged, client, plain)).toEqual(ours);
  });

  it('do not say that another api passed it on, whatever the client says', () => {
    expect(requestHeaders(['X-Lilac-Passed-On', 'counted'], client, plain)).toEqual(ours);
  });

  it('leave out what is for the next hop only, and what Connection names besides', () => {
    const raw = [
      'Connection',
      'keep-alive, X-Mine',
      'X-Mine',
      '1',
      'Keep-Alive',
      'timeout=5',
      'TE',
      'trailers',
      'Upgrade',
      'h2c',
    ];
    expect(requestHeaders(raw, client, plain)).toEqual(ours);
  });

  it('keep what the api decides by, even when Connection names it', () => {
    const raw = ['Connection', 'authorization, host', 'Host', 'a', 'Authorization', 'Bearer b'];
    expect(requestHeaders(raw, client, plain)).toEqual(['Host', 'a', 'Authorization', 'Bearer b', ...ours]);
  });

  it('frame a body of unknown length as one', () => {
    const raw = ['transfer-encoding', 'Chunked'];
    const framing = { ...plain, isChunked: true };
    expect(requestHeaders(raw, client, framing)).toEqual([...ours, 'Transfer-Encoding', 'chunked']);
  });

  it('ask the api whether it wants the body, and expect nothing else of it', () => {
    const raw = ['Expect', '100-Continue'];
    const framing = { ...plain, expectsContinue: true };
    expect(requestHeaders(raw, client, framing)).toEqual([...ours, 'Expect', '100-continue']);
    expect(requestHeaders(raw, client, plain)).toEqual(ours);
  });
});

it('an answer loses what was for the edge only, and keeps several cookies apart', () => {
  const raw = [
    'Set-Cookie',
    'a=1',
    'Set-Cookie',
    'b=2',
    'Connection',
    'keep-alive',
    'Keep-Alive',
    'timeout=72',
    'Transfer-Encoding',
    'chunked',
  ];
  expect(responseHeaders(raw)).toEqual(['Set-Cookie', 'a=1', 'Set-Cookie', 'b=2']);
});
