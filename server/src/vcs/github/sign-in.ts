import { z } from 'zod';
import type { Clock } from '../../lib/clock.ts';
import { Fault, invalid } from '../../lib/fault.ts';
import { readAnswer } from '../connection/read-answer.ts';
import type { HostFetch } from '../host-fetch.ts';
import type { AppSettings, CallOptions, PersonTokens, SignInHost } from '../vcs-host.ts';
import { HOST_NAME } from './github-api.ts';
import { notSetUp } from './github-access.ts';

export interface SignInDeps {
  hostUrl: URL;
  fetch: HostFetch;
  settings: AppSettings | null;
  clock: Clock;
}

type SignIn = Pick<SignInHost, 'authorizeUrl' | 'redeemCode' | 'refreshTokens'>;

/** OAuth's code grant as the first host has it: what is wrong it says with a status of 200, in words of its own. */
export function createSignIn(deps: SignInDeps): SignIn {
  return {
    authorizeUrl({ state, redirectUrl }) {
      const url = below(deps.hostUrl, 'login/oauth/authorize');
      url.searchParams.set('client_id', settingsOf(deps).clientId);
      url.searchParams.set('redirect_uri', redirectUrl);
      url.searchParams.set('state', state);
      return url.href;
    },
    async redeemCode({ code, redirectUrl }, options) {
      const tokens = await askForTokens(deps, { code, redirect_uri: redirectUrl }, options);
      if (!tokens) throw invalid('GitHub does not accept this code: it was used before, or is too old. Begin again.');
      return tokens;
    },
    refreshTokens: (refreshToken, options) =>
      askForTokens(deps, { grant_type: 'refresh_token', refresh_token: refreshToken }, options),
  };
}

export function below(hostUrl: URL, path: string): URL {
  return new URL(path, `${hostUrl.href.replace(/\/$/, '')}/`);
}

const answer = z.union([
  z.object({
    access_token: z.string().min(1),
    refresh_token: z.string().min(1).nullish(),
    expires_in: z.number().positive().nullish(),
  }),
  z.object({ error: z.string() }),
]);

const NO_LONGER_GOOD = ['bad_verification_code', 'bad_refresh_token'];

/** Null: what was presented is not good, or no longer. */
async function askForTokens(
  deps: SignInDeps,
  form: Record<string, string>,
  { signal }: CallOptions = {},
): Promise<PersonTokens | null> {
  const { clientId, clientSecret } = settingsOf(deps);
  const response = await deps.fetch(below(deps.hostUrl, 'login/oauth/access_token'), {
    method: 'POST',
    headers: { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ ...form, client_id: clientId, client_secret: clientSecret }).toString(),
    signal,
  });
  const given: unknown = await response.json().catch(() => null);
  // An app that is gone has no page.
  if (response.status === 404) throw refused('Not Found');
  const granted = readAnswer(given, { shape: answer, hostName: HOST_NAME });
  if (!('error' in granted)) return toTokens(granted, deps.clock);
  if (NO_LONGER_GOOD.includes(granted.error)) return null;
  throw refused(granted.error);
}

function toTokens(
  granted: { access_token: string; refresh_token?: string | null; expires_in?: number | null },
  clock: Clock,
): PersonTokens {
  return {
    accessToken: granted.access_token,
    refreshToken: granted.refresh_token ?? null,
    expiresAt: granted.expires_in ? clock.now().getTime() + granted.expires_in * 1000 : null,
  };
}

function refused(words: string): Fault {
  return new Fault(
    'CF001',
    `GitHub does not accept the credentials of this platform (${words}). The operator can correct the client id, the ` +
      'client secret or the callback address: see `lilac admin vcs`.',
  );
}

function settingsOf({ settings }: SignInDeps): AppSettings {
  if (settings) return settings;
  throw notSetUp();
}
