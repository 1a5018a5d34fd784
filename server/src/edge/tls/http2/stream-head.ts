import type { IncomingHttpHeaders } from 'node:http2';

/** A request of HTTP/2, as HTTP/1.1 would say it. */
export interface StreamHead {
  method: string;
  host: string;
  path: string;
  headers: IncomingHttpHeaders;
  /** Name, value, name, value …: with one Host and one Cookie. */
  rawHeaders: string[];
  hasBody: boolean;
  /** The request does not say how long its body is. */
  isChunked: boolean;
  expectsContinue: boolean;
  /** Whose visitor it is, once that is known; null: nobody's. */
  environmentId: string | null;
}

const PATH = /^(?:\/[\x21-\x7e]*|\*)$/;
const COLON = 58;

/**
 * Null where a request may mean this or that: it names its host in two ways or not at all, or its path is none. What
 * else is not well made, such as names or values with characters that may not be in them, never gets here.
 */
export function readStreamHead(
  headers: IncomingHttpHeaders,
  raw: readonly string[],
  hasBody: boolean,
): StreamHead | null {
  const { ':method': method = '', ':path': path = '', ':authority': authority, host: said } = headers;
  const host = authority ?? said;
  if (method === 'CONNECT' || host === undefined || !PATH.test(path)) return null;
  if (said !== undefined && said.toLowerCase() !== host.toLowerCase()) return null;
  return {
    method,
    host,
    path,
    headers,
    rawHeaders: plainHeaders(raw, host),
    hasBody,
    isChunked: hasBody && headers['content-length'] === undefined,
    expectsContinue: hasBody && headers.expect?.toLowerCase() === '100-continue',
    environmentId: null,
  };
}

/** Clients may send a cookie each in a header of its own here, which HTTP/1.1 does not know (RFC 9113, 8.2.3). */
function plainHeaders(raw: readonly string[], host: string): string[] {
  const plain = ['host', host];
  let cookies = '';
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const [name, value] = [raw[at]!, raw[at + 1]!];
    if (name.charCodeAt(0) === COLON || name === 'host') continue;
    if (name === 'cookie') cookies = cookies === '' ? value : `${cookies}; ${value}`;
    else plain.push(name, value);
  }
  if (cookies !== '') plain.push('cookie', cookies);
  return plain;
}
