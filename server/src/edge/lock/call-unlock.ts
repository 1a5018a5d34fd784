import { request as startRequest, type RequestOptions } from 'node:http';
import { answerOf, bodyOf } from '../../lib/answer-of.ts';
import { API_PURPOSE } from '../../routing/api-purposes.ts';
import { ApiGate, isListening } from '../api-gate.ts';
import type { ApiDirectory } from '../apis/api-directory.ts';
import { PeerAgent } from '../../routing/peer-agent.ts';

export interface UnlockAttempt {
  environmentId: string;
  password: string;
  /** The client's: attempts are counted by it. */
  address: string;
  /** How it came: what is given to it by https travels by https only. */
  protocol: 'http' | 'https';
}

export interface UnlockAnswer {
  status: number;
  cookies: readonly string[];
  retryAfterSeconds: number;
}

export interface UnlockCallerOptions {
  apiSocket: string;
  /** The apis of other hosts; left out, there are none. */
  elsewhere?: ApiDirectory | undefined;
  /** The platform's own host, as the api knows it. */
  host: string;
  /** How long an api that restarts is waited for. */
  holdMs: number;
}

const ANSWER_WITHIN_MS = 15_000;
const MAX_ANSWER_BYTES = 64 * 1024;
const MAX_WAITING = 100;
const DEFAULT_RETRY_SECONDS = 60;

/** Asks the api whether this is the password. Null: it cannot be asked. */
export function createUnlockCaller(
  options: UnlockCallerOptions,
): (attempt: UnlockAttempt) => Promise<UnlockAnswer | null> {
  const { apiSocket, elsewhere } = options;
  const isThere = async () =>
    (await isListening(apiSocket)) || (elsewhere !== undefined && (await elsewhere.isAnyThere()));
  const gate = new ApiGate({ isThere, maxWaiting: MAX_WAITING });
  return async (attempt) => {
    const first = await askAny(options, attempt);
    if (first || (await gate.wait(options.holdMs)) !== 'open') return first;
    return askAny(options, attempt);
  };
}

/** The api of this host; where there is none, those of others, one after the other. */
async function askAny(options: UnlockCallerOptions, attempt: UnlockAttempt): Promise<UnlockAnswer | null> {
  const { apiSocket, elsewhere } = options;
  const local = await ask({ socketPath: apiSocket, agent: false }, options, attempt).catch(() => null);
  if (local || !elsewhere) return local;
  await elsewhere.look();
  const agent = new PeerAgent({ secret: () => elsewhere.secret, purpose: API_PURPOSE });
  for (const peer of elsewhere.list()) {
    const answer = await ask({ ...peer, agent }, options, attempt).catch(() => null);
    if (answer) return answer;
  }
  return null;
}

async function ask(way: RequestOptions, { host }: UnlockCallerOptions, attempt: UnlockAttempt): Promise<UnlockAnswer> {
  const { environmentId, password, address, protocol } = attempt;
  const body = JSON.stringify({ environmentId, password });
  const signal = AbortSignal.timeout(ANSWER_WITHIN_MS);
  const request = startRequest({
    ...way,
    method: 'POST',
    path: '/api/environments/unlock',
    headers: {
      Host: host,
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(body),
      'X-Forwarded-For': address,
      'X-Forwarded-Proto': protocol,
    },
    signal,
  });
  request.end(body);
  const answer = await answerOf(request, { signal });
  // What it says is in its status; but it must have said all of it.
  JSON.parse((await bodyOf(answer, { signal, maxBytes: MAX_ANSWER_BYTES })).toString());
  return {
    status: answer.statusCode ?? 0,
    cookies: answer.headers['set-cookie'] ?? [],
    retryAfterSeconds: Number(answer.headers['retry-after']) || DEFAULT_RETRY_SECONDS,
  };
}
