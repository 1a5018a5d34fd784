import { errorOf } from '@lilac/contract/client';
import { declarationOf } from '@lilac/contract/endpoints';
import type { Lilac, TokenPair } from '@lilac/sdk';
import { setTimeout as pause } from 'node:timers/promises';
import { GaveUp } from '../frame/gave-up.ts';
import { isConnectionFailure } from '../frame/lost-answer.ts';
import { plainText } from '../terminal/printable.ts';

/** As the list of connected devices names it. */
const CLIENT_ID = 'lilac-cli';
/** RFC 8628, sections 3.4 and 3.5. */
const GRANT_TYPE = 'urn:ietf:params:oauth:grant-type:device_code';
const SLOW_DOWN_SECONDS = 5;

export interface DeviceCode {
  device_code: string;
  user_code: string;
  verification_uri: string;
  verification_uri_complete: string;
  expires_in: number;
  interval: number;
}

export interface Waiting {
  apiUrl: string;
  code: DeviceCode;
  signal: AbortSignal | undefined;
  /** Tests do not wait. */
  secondMs?: number;
}

export async function requestDeviceCode(lilac: Pick<Lilac, 'call'>, signal?: AbortSignal): Promise<DeviceCode> {
  return await lilac.call('auth.device.code', { body: { client_id: CLIENT_ID }, signal });
}

/** Asks until somebody has decided. That the platform is away for a moment does not matter. */
export async function waitForApproval({ apiUrl, code, signal, secondMs = 1000 }: Waiting): Promise<TokenPair> {
  const deadlineMs = Date.now() + code.expires_in * secondMs;
  let intervalSeconds = code.interval;
  while (Date.now() < deadlineMs) {
    await pause(intervalSeconds * secondMs, undefined, { signal });
    const answer = await poll(apiUrl, code, signal);
    if ('pair' in answer) return answer.pair;
    if (answer.error === 'slow_down') intervalSeconds += SLOW_DOWN_SECONDS;
    else if (answer.error !== 'authorization_pending')
      throw new GaveUp(problems[answer.error] ?? unexpected(answer.error));
  }
  throw new GaveUp(problems.expired_token);
}

const problems: Record<string, string> & { expired_token: string } = {
  access_denied: 'The sign-in was refused in the browser.',
  expired_token: 'The code has expired before anybody approved it. Run "lilac login" again.',
};

const unexpected = (error: string) =>
  `The platform does not take this sign-in (${plainText(error)}). Run "lilac login" again.`;

/** The reasons are told beside the API's own shape of errors, so the answer is read here. */
async function poll(
  apiUrl: string,
  { device_code }: DeviceCode,
  signal: AbortSignal | undefined,
): Promise<{ pair: TokenPair } | { error: string }> {
  const { path } = declarationOf('auth.device.token');
  const body = new URLSearchParams({ grant_type: GRANT_TYPE, device_code, client_id: CLIENT_ID });
  try {
    const init = { method: 'POST', body, redirect: 'manual', ...(signal && { signal }) } as const;
    const response = await fetch(`${apiUrl}${path}`, init);
    if (response.status >= 300 && response.status < 400) throw await errorOf(response);
    const said = (await response.json().catch(() => ({}))) as Record<string, string | undefined>;
    if (response.ok) return { pair: { token: said.access_token!, refreshToken: said.refresh_token! } };
    const mayPass = response.status === 429 || response.status >= 500;
    return { error: mayPass ? 'authorization_pending' : (said.error ?? `HTTP ${response.status}`) };
  } catch (error) {
    if (signal?.aborted || !isConnectionFailure(error)) throw error;
    return { error: 'authorization_pending' };
  }
}
