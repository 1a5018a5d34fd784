import { request as startRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { json } from 'node:stream/consumers';
import { ApiGate } from '../api-gate.ts';

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
  /** The platform's own host, as the api knows it. */
  host: string;
  /** How long an api that restarts is waited for. */
  holdMs: number;
}

const ANSWER_WITHIN_MS = 15_000;
const MAX_WAITING = 100;
const DEFAULT_RETRY_SECONDS = 60;

/** Asks the api whether this is the password. Null: it cannot be asked. */
export function createUnlockCaller(
  options: UnlockCallerOptions,
): (attempt: UnlockAttempt) => Promise<UnlockAnswer | null> {
  const gate = new ApiGate({ socketPath: options.apiSocket, maxWaiting: MAX_WAITING });
  return async (attempt) => {
    const first = await ask(options, attempt).catch(() => null);
    if (first || (await gate.wait(options.holdMs)) !== 'open') return first;
    return ask(options, attempt).catch(() => null);
  };
}

async function ask({ apiSocket, host }: UnlockCallerOptions, attempt: UnlockAttempt): Promise<UnlockAnswer> {
  const { environmentId, password, address, protocol } = attempt;
  const body = JSON.stringify({ environmentId, password });
  const answer = await send(body, {
    socketPath: apiSocket,
    method: 'POST',
    path: '/api/environments/unlock',
    headers: {
      Host: host,
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(body),
      'X-Forwarded-For': address,
      'X-Forwarded-Proto': protocol,
    },
    agent: false,
    timeout: ANSWER_WITHIN_MS,
  });
  // What it says is in its status; but it must have said all of it.
  await json(answer);
  return {
    status: answer.statusCode ?? 0,
    cookies: answer.headers['set-cookie'] ?? [],
    retryAfterSeconds: Number(answer.headers['retry-after']) || DEFAULT_RETRY_SECONDS,
  };
}

function send(body: string, options: RequestOptions): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const request = startRequest(options);
    request.once('response', resolve).on('error', reject);
    request.once('timeout', () => request.destroy(new Error('the api is silent')));
    request.end(body);
  });
}
