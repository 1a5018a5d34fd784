import { AsyncLocalStorage } from 'node:async_hooks';
import { Agent as HttpAgent, request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { axios } from 'acme-client';
import { answerOf, bodyOf } from '../../lib/answer-of.ts';
import type { Clock } from '../../lib/clock.ts';
import { AuthorityUnavailable } from '../certificate-authority.ts';
import { AcmeProblem, readProblem, readRetryAfter } from './acme-problem.ts';

const PATIENCE_MS = 30_000;
const MAX_BYTES = 1024 * 1024;

interface Transport {
  agents: { 'http:': HttpAgent; 'https:': HttpsAgent };
  signal: AbortSignal;
  clock: Clock;
  /** Until when the last answer asks to be left in peace. */
  waitUntil: Date | null;
  /** How often in a row the authority did not take its own nonce. */
  badNonces: number;
}

const current = new AsyncLocalStorage<Transport>();

export interface TransportOptions {
  /** Whom to trust, PEM; undefined: as usual. */
  ca: readonly string[] | undefined;
  /** Of this machine: they may name a proxy. */
  hostVariables: Readonly<Record<string, string>>;
  signal: AbortSignal;
  clock: Clock;
}

/** What acme-client asks meanwhile goes over connections of its own, which are closed in the end. */
export async function withTransport<T>(
  { ca, hostVariables, signal, clock }: TransportOptions,
  work: () => Promise<T>,
): Promise<T> {
  const kept = { keepAlive: true, maxSockets: 4, proxyEnv: hostVariables };
  const agents = { 'http:': new HttpAgent(kept), 'https:': new HttpsAgent({ ...kept, ca: ca && [...ca] }) };
  try {
    return await current.run({ agents, signal, clock, waitUntil: null, badNonces: 0 }, work);
  } finally {
    agents['http:'].destroy();
    agents['https:'].destroy();
  }
}

/** The client tries five times more, and asks for a new one in between. */
const MOST_BAD_NONCES = 5;
const BAD_NONCES = 'The certificate authority is out of order: it takes no request as fresh (badNonce).';
const LONGEST_WAIT_MS = 15_000;

/** How long the authority wishes not to be asked again, within reason. */
export function wishedWaitMs(): number {
  const transport = current.getStore();
  if (!transport?.waitUntil) return 0;
  return Math.min(LONGEST_WAIT_MS, Math.max(0, transport.waitUntil.getTime() - transport.clock.now().getTime()));
}

/**
 * In place of the client's own way to ask: that one waits by itself as long as an authority wishes, without a word to
 * anybody, keeps of refusals nothing but a text, cannot be stopped and trusts only the usual roots. Errors without a
 * `config`, as these are, it passes on as they are.
 */
axios.defaults.adapter = async (config) => {
  const transport = current.getStore();
  if (!transport) throw new Error('acme-client is used within withTransport only.');
  const { method, url } = config;
  const body = typeof config.data === 'string' ? config.data : undefined;
  const headers = Object.fromEntries(
    Object.entries(config.headers.toJSON()).flatMap(([name, value]) =>
      typeof value === 'string' ? [[name, value]] : [],
    ),
  );
  const { status, text, ...answer } = await ask(transport, { url: url!, method: method!.toUpperCase(), headers, body });
  if (status >= 400) {
    const problem = readProblem(parsed(text));
    // The client knows what to do then, a few times; in the end it would pass on a text that says nothing to anybody.
    if (problem.type === 'badNonce') {
      if (++transport.badNonces > MOST_BAD_NONCES) throw new AuthorityUnavailable(BAD_NONCES);
    } else {
      const retryAt = readRetryAfter(answer.headers['retry-after'], transport.clock.now());
      throw new AcmeProblem(problem, { status, retryAt });
    }
  }
  // Asking for another nonce needs none.
  if (status < 400 && body !== undefined) transport.badNonces = 0;
  transport.waitUntil = readRetryAfter(answer.headers['retry-after'], transport.clock.now());
  return { data: text, status, statusText: '', headers: { ...answer.headers } as Record<string, string>, config };
};

interface Question {
  url: string;
  method: string;
  headers: Record<string, string>;
  body: string | undefined;
}

interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

async function ask(transport: Transport, { url, method, headers, body }: Question): Promise<Answer> {
  const { agents } = transport;
  const isSecure = new URL(url).protocol === 'https:';
  const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
  const deadline = AbortSignal.timeout(PATIENCE_MS);
  const limits = { signal: AbortSignal.any([transport.signal, deadline]), maxBytes: MAX_BYTES };
  const asked = (isSecure ? httpsRequest : httpRequest)(url, {
    method,
    headers: { ...headers, ...length },
    agent: isSecure ? agents['https:'] : agents['http:'],
    signal: limits.signal,
  });
  asked.end(body);
  try {
    const response = await answerOf(asked, limits);
    const text = (await bodyOf(response, limits)).toString();
    return { status: response.statusCode ?? 0, headers: response.headers, text };
  } catch (error) {
    if (transport.signal.aborted) throw error;
    throw noAnswer(deadline.aborted ? new Error('it takes too long') : (error as Error));
  }
}

function noAnswer(error: Error): AuthorityUnavailable {
  return new AuthorityUnavailable(`The certificate authority does not answer: ${describeTrouble(error)}.`, {
    cause: error,
  });
}

const troubles: Record<string, string> = {
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection broke off',
  ENOTFOUND: 'its name is not known',
  EAI_AGAIN: 'its name could not be looked up',
  ETIMEDOUT: 'it takes too long',
  EHOSTUNREACH: 'there is no way to it',
  ENETUNREACH: 'there is no way to it',
};

/** Whoever owns a name reads it: what Node says has addresses and hosts of the operator's in it. */
function describeTrouble(error: Error): string {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : null;
  if (code === null) return error.message;
  return troubles[code] ?? `the connection failed (${code})`;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
