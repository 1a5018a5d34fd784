import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { answerOf, bodyOf } from '../../lib/answer-of.ts';
import type { Clock } from '../../lib/clock.ts';
import { buildRequest, readResponse, responderOf, type OcspVerdict, type Questioned } from './ocsp.ts';

const PATIENCE_MS = 10_000;
const MAX_BYTES = 64 * 1024;

export interface FetchedOcsp extends OcspVerdict {
  /** As it came, to be shown along. */
  bytes: Buffer;
}

export interface FetchOcspOptions {
  /** Of this machine: they may name a proxy. */
  hostVariables: Readonly<Record<string, string>>;
  clock: Clock;
  signal: AbortSignal;
}

/** Asks the authority; null: it offers nothing of the kind. Throws when there is no answer that can be believed. */
export async function fetchOcsp(
  questioned: Questioned,
  { hostVariables, clock, signal }: FetchOcspOptions,
): Promise<FetchedOcsp | null> {
  const url = responderOf(questioned.leaf);
  if (url === null) return null;
  const limits = { signal: AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)]), maxBytes: MAX_BYTES };
  const response = await ask(new URL(url), { body: buildRequest(questioned), hostVariables, ...limits });
  const bytes = await bodyOf(response, limits);
  if (response.statusCode !== 200) throw new Error(`${new URL(url).host} answers ${response.statusCode}`);
  return { ...readResponse(bytes, questioned, clock.now()), bytes };
}

interface Question {
  body: Buffer;
  hostVariables: Readonly<Record<string, string>>;
  signal: AbortSignal;
}

/** Not by `fetch`, which can be told of a proxy for the whole process only. */
function ask(url: URL, { body, hostVariables, signal }: Question): Promise<IncomingMessage> {
  const isSecure = url.protocol === 'https:';
  const proxyEnv = hostVariables;
  const agent = isSecure ? new HttpsAgent({ proxyEnv }) : new HttpAgent({ proxyEnv });
  const headers = {
    'content-type': 'application/ocsp-request',
    'content-length': body.length,
    accept: 'application/ocsp-response',
  };
  const asked = (isSecure ? httpsRequest : httpRequest)(url, { method: 'POST', headers, agent, signal });
  asked.end(body);
  return answerOf(asked, { signal });
}
