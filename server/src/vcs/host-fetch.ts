import { setTimeout as delay } from 'node:timers/promises';
import { systemClock, type Clock } from '../lib/clock.ts';
import { sha256 } from '../lib/hash.ts';
import { fetchByProxy } from './fetch-by-proxy.ts';
import { proxyFor } from './proxy.ts';
import { requestedPatience, type RequestedPatience } from './requested-patience.ts';
import { HostUnavailable } from './vcs-host.ts';

/**
 * A header that says in whose name a host is asked, where that lasts longer than the credential: an app signs anew each
 * second, and an installation has a token for each repository, while the host counts them as one. It is never sent.
 */
export const ASKED_AS = 'x-lilac-asked-as';

/** As the global one, so that clients others wrote can be given it. */
export type HostFetch = typeof globalThis.fetch;

export interface HostFetchOptions {
  clock?: Clock;
  /** For all attempts together, with the body. */
  timeoutMs?: number;
  maxBytes?: number;
  /** What this machine says of proxies, as its environment does; without, hosts are asked directly. */
  hostVariables?: Readonly<Record<string, string>>;
}

/** What a host asks for up to here is waited out; what is longer becomes a `HostUnavailable`. */
const SHORT_WAIT_MS = 2_000;
/** How soon to ask again a host that did not answer, or not well. */
const DOWN_SECONDS = 30;
const RETRIES = 2;
const FIRST_PAUSE_MS = 200;
const MAX_REDIRECTS = 3;

/**
 * Asks a repository host. Whatever is the host's trouble becomes a `HostUnavailable` whose message names the host and
 * holds nothing of what was sent. An answer is read as a whole before it is given on: whoever has it has all of it.
 */
export function createHostFetch({
  clock = systemClock,
  timeoutMs = 10_000,
  maxBytes = 16 * 1024 * 1024,
  hostVariables = {},
}: HostFetchOptions = {}): HostFetch {
  const patience = createPatience(clock);
  return async (input, init) => {
    const call = await readCall(input, init);
    const deadline = AbortSignal.timeout(timeoutMs);
    const signal = AbortSignal.any([call.signal, deadline]);
    const proxy = proxyFor(hostVariables, call.url);
    const limits = { signal, maxBytes, proxy, now: () => clock.now().getTime() };
    try {
      return await askPatiently(call, patience, limits);
    } catch (error) {
      call.signal.throwIfAborted();
      if (deadline.aborted) throw unavailable(call, 'took too long to answer', error);
      throw error;
    }
  };
}

interface Call {
  url: URL;
  method: string;
  headers: Headers;
  /** Whom the host counts this for. */
  askedAs: string;
  body: ArrayBuffer | null;
  signal: AbortSignal;
  /** Asking twice does no harm. */
  isRead: boolean;
}

interface Limits {
  signal: AbortSignal;
  maxBytes: number;
  /** By which the host is asked; null: directly. Redirects stay within the host, and so with its proxy. */
  proxy: URL | null;
  now: () => number;
}

async function askPatiently(call: Call, patience: Patience, limits: Limits): Promise<Response> {
  for (let attempt = 0; ; attempt += 1) {
    patience.check(call);
    const { response, asked, failure } = await ask(call, limits);
    if (asked && asked.milliseconds > SHORT_WAIT_MS) patience.note(call, asked);
    if (response) return response;
    const pause = pauseBeforeNext(call, attempt, asked);
    if (pause === null) throw failure;
    await delay(pause, undefined, { signal: limits.signal });
  }
}

/** Null: it is not tried again. What was refused by rate was not done, so that it may be tried whatever it is. */
function pauseBeforeNext(call: Call, attempt: number, asked: RequestedPatience | null): number | null {
  if (attempt >= RETRIES) return null;
  if (asked && asked.milliseconds > SHORT_WAIT_MS) return null;
  if (asked?.concerns === 'credential') return asked.milliseconds;
  if (!call.isRead) return null;
  const ownPause = FIRST_PAUSE_MS * 3 ** attempt * (0.5 + Math.random());
  return Math.max(asked?.milliseconds ?? 0, ownPause);
}

type Asked =
  | { response: Response; asked: RequestedPatience | null; failure?: never }
  | { response?: never; asked: RequestedPatience | null; failure: HostUnavailable };

async function ask(call: Call, limits: Limits): Promise<Asked> {
  let answer: Answer;
  try {
    answer = await send(call, limits);
  } catch (error) {
    limits.signal.throwIfAborted();
    if (error instanceof HostUnavailable) throw error;
    const what = limits.proxy ? 'does not answer through the proxy that this platform uses' : 'does not answer';
    return { asked: null, failure: unavailable(call, what, error) };
  }
  const { status } = answer;
  const asked = requestedPatience({ ...answer, text: () => answer.body.subarray(0, 4096).toString() }, limits.now());
  if (asked?.isRefusal) return { asked, failure: impatient(call, asked.milliseconds) };
  if (status < 500) return { asked, response: rebuild(answer) };
  const failure = unavailable(call, `has a problem of its own (it answered ${status})`);
  if (![502, 503, 504].includes(status)) throw failure;
  return { asked: null, failure };
}

interface Answer {
  url: string;
  status: number;
  statusText: string;
  headers: Headers;
  body: Buffer;
}

async function send(call: Call, { signal, maxBytes, proxy }: Limits): Promise<Answer> {
  const { method, headers, body } = call;
  let { url } = call;
  for (let hops = 0; ; hops += 1) {
    const request = { method, headers, body, signal };
    const response = await (proxy ? fetchByProxy(proxy, url, request) : fetch(url, { ...request, redirect: 'manual' }));
    const next = redirectOf(call, response);
    const { status, statusText } = response;
    if (!next) {
      const read = await readCapped(call, response, maxBytes);
      return { url: url.href, status, statusText, headers: response.headers, body: read };
    }
    await response.body?.cancel();
    if (next.origin !== call.url.origin || hops >= MAX_REDIRECTS) {
      throw unavailable(
        call,
        `sends its callers on to ${next.host}. The operator of the platform has to correct its address`,
      );
    }
    url = next;
  }
}

/** Whoever writes is only sent on by a status that keeps the method. */
function redirectOf({ isRead, url }: Call, { status, headers }: Response): URL | null {
  const isRedirect = isRead ? [301, 302, 303, 307, 308].includes(status) : [307, 308].includes(status);
  const location = headers.get('location');
  return isRedirect && location !== null ? URL.parse(location, url.href) : null;
}

async function readCapped(call: Call, { body }: Response, maxBytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.length;
    if (size > maxBytes) throw unavailable(call, 'sent an answer that is larger than expected');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

const BODILESS = [204, 205, 304];

function rebuild({ url, status, statusText, headers, body }: Answer): Response {
  const kept = new Headers(headers);
  // Of the bytes on the way, which are unpacked by now.
  for (const name of ['content-encoding', 'content-length', 'transfer-encoding']) kept.delete(name);
  const bytes = BODILESS.includes(status) ? null : new Uint8Array(body);
  const response = new Response(bytes, { status, statusText, headers: kept });
  return Object.defineProperty(response, 'url', { value: url });
}

async function readCall(input: Parameters<HostFetch>[0], init?: RequestInit): Promise<Call> {
  let request: Request;
  try {
    request = new Request(input, init);
  } catch {
    // Its message would hold the header or the address that is wrong, which may be a token.
    throw new Error('A request to a repository host could not be put together.');
  }
  const { method, signal } = request;
  const headers = new Headers(request.headers);
  const askedAs = headers.get(ASKED_AS) ?? `who has ${sha256(headers.get('authorization') ?? '').toString('base64')}`;
  headers.delete(ASKED_AS);
  const isRead = method === 'GET' || method === 'HEAD';
  const body = request.body ? await request.arrayBuffer() : null;
  return { url: new URL(request.url), method, headers, askedAs, body, signal, isRead };
}

const hostKey = ({ url }: Call): string => url.origin;

const credentialKey = ({ url, askedAs }: Call): string => `${url.origin} ${askedAs}`;

interface Patience {
  check(call: Call): void;
  note(call: Call, asked: RequestedPatience): void;
}

/**
 * Whom not to ask before when. Limits are counted for each credential: one organisation that has used up its own takes
 * nothing from the others.
 */
function createPatience(clock: Clock): Patience {
  const until = new Map<string, number>();
  return {
    check(call) {
      const now = clock.now().getTime();
      const latest = Math.max(until.get(hostKey(call)) ?? 0, until.get(credentialKey(call)) ?? 0);
      if (latest > now) throw impatient(call, latest - now);
    },
    note(call, { concerns, milliseconds }) {
      const now = clock.now().getTime();
      for (const [key, time] of until) if (time <= now) until.delete(key);
      until.set(concerns === 'host' ? hostKey(call) : credentialKey(call), now + milliseconds);
    },
  };
}

function unavailable({ url }: Call, what: string, cause?: unknown): HostUnavailable {
  const message = `The repository host ${url.host} ${what}. Try again later.`;
  return new HostUnavailable(message, { retryAfterSeconds: DOWN_SECONDS, cause });
}

function impatient({ url }: Call, milliseconds: number): HostUnavailable {
  const seconds = Math.max(1, Math.ceil(milliseconds / 1000));
  const when = seconds < 120 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`;
  const message = `The repository host ${url.host} takes no more requests for now. Try again in ${when}.`;
  return new HostUnavailable(message, { retryAfterSeconds: seconds });
}
