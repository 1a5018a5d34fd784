import type { Access } from '../access-log/access-log.ts';
import type { Counters } from '../traffic/counters.ts';

const SLASH = 47;

/** What the front needs to know of a request, read from its head. Absent headers are empty. */
export interface RequestHead {
  method: string;
  target: string;
  isHttp10: boolean;
  host: string;
  /** Whether the client wants the connection for another request. */
  isKeptAlive: boolean;
  hasBody: boolean;
  /** Null where none is given. */
  contentLength: number | null;
  isChunked: boolean;
  /** `Expect` or `Upgrade`: the client wants more than an answer. */
  isSpecial: boolean;
  /** The protocol that the client would rather speak. */
  upgrade: string;
  /** The client sends the body only when it is told to. */
  expectsContinue: boolean;
  /** The `Expect` header asks for something that nobody knows. */
  expectsUnknown: boolean;
  /** All cookies of the request, as one header. */
  cookie: string;
  /** What a release's check shows to reach instances that take no other requests yet. */
  probe: string;
  /** Where it is counted, once it is known whose it is. */
  counters: Counters | null;
  /** Where it is written down; null where it is not. */
  access: Access | null;
  /** Made up, unless a proxy that we trust has sent it. */
  forwardedFor: string;
  forwardedProto: string;
  accept: string;
  acceptEncoding: string;
  ifMatch: string;
  ifNoneMatch: string;
  ifRange: string;
  range: string;
  /** Where in the bytes the head ends. */
  end: number;
  byteCount: number;
  /** The headers that an instance gets to see, each ended by CRLF; the rest is between the client and us. */
  readonly lines: string;
}

export type HeadFailure = 'incomplete' | 'too-large' | 'malformed';

/** A plain question for a path, without a body: the front answers only such, and leaves all else to Node. */
export function isSimple({ method, target, hasBody, isSpecial }: RequestHead): boolean {
  return (method === 'GET' || method === 'HEAD') && !hasBody && !isSpecial && target.charCodeAt(0) === SLASH;
}
