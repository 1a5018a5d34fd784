/** Headers as they came: name, value, name, value … */
export type RawHeaders = readonly string[];

/** Meant for the next hop only (RFC 9110, 7.6.1), so they are not passed on. */
const HOP_BY_HOP = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'proxy-authenticate',
  'proxy-authorization',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** What a client says here is never passed on: only the edge knows who it is, and only apis pass requests on. */
const ABOUT_THE_CLIENT = new Set([
  'forwarded',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-port',
  'x-forwarded-proto',
  'x-forwarded-server',
  'x-lilac-passed-on',
  'x-real-ip',
]);

export interface ForwardedFor {
  address: string;
  protocol: 'http' | 'https';
  host: string;
}

/** How the body goes to the api. */
export interface BodyFraming {
  isChunked: boolean;
  /** The client sends the body only when the api asks for it. */
  expectsContinue: boolean;
}

/** The headers of the request to the api. The body's framing is set anew. */
export function requestHeaders(raw: RawHeaders, client: ForwardedFor, framing: BodyFraming): string[] {
  const kept = filterHeaders(raw, (name) => !ABOUT_THE_CLIENT.has(name) && name !== 'expect');
  kept.push('X-Forwarded-For', client.address, 'X-Forwarded-Proto', client.protocol, 'X-Forwarded-Host', client.host);
  if (framing.isChunked) kept.push('Transfer-Encoding', 'chunked');
  if (framing.expectsContinue) kept.push('Expect', '100-continue');
  return kept;
}

export function responseHeaders(raw: RawHeaders): string[] {
  return filterHeaders(raw, () => true);
}

function filterHeaders(raw: RawHeaders, keeps: (lowerCaseName: string) => boolean): string[] {
  const alsoDropped = namedByConnection(raw);
  const kept: string[] = [];
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const name = raw[at]!.toLowerCase();
    if (!HOP_BY_HOP.has(name) && !alsoDropped.has(name) && keeps(name)) kept.push(raw[at]!, raw[at + 1]!);
  }
  return kept;
}

/** A sender may name further headers that are for the next hop only. Those we route by are not among them. */
function namedByConnection(raw: RawHeaders): Set<string> {
  const named = new Set<string>();
  for (let at = 0; at + 1 < raw.length; at += 2) {
    if (raw[at]!.toLowerCase() !== 'connection') continue;
    for (const name of raw[at + 1]!.split(',')) named.add(name.trim().toLowerCase());
  }
  for (const name of ['host', 'content-length', 'content-type', 'authorization', 'cookie', 'origin'])
    named.delete(name);
  return named;
}
