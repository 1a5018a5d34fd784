import { z } from 'zod';
import { systemClock, type Clock } from '../../lib/clock.ts';
import { Fault, invalid } from '../../lib/fault.ts';
import type { HostFetch } from '../host-fetch.ts';
import type { CallOptions, OAuthSettings, PersonTokens, SignInHost } from '../vcs-host.ts';
import { HostRefusal } from './host-refusal.ts';
import { readAnswer, strangeAnswer } from './read-answer.ts';

export interface CodeGrantOptions {
  fetch: HostFetch;
  /** Null while the operator has not told how the platform is known to the host. */
  settings: OAuthSettings | null;
  /** As people call it. */
  hostName: string;
  authorizeUrl: string;
  tokenUrl: string;
  /** Null where the operator chooses them at the host. */
  scope: string | null;
  /** How the platform shows the host who it is. */
  clientBy: 'form' | 'basic';
  clock?: Clock;
}

export type CodeGrant = Pick<SignInHost, 'authorizeUrl' | 'redeemCode' | 'refreshTokens'>;

/** OAuth's code grant (RFC 6749, 4.1), as both hosts speak it. */
export function createCodeGrant(options: CodeGrantOptions): CodeGrant {
  const { hostName, clock = systemClock } = options;
  const grant = async (form: Record<string, string>, { signal }: CallOptions = {}): Promise<Granted> =>
    askForTokens(options, form, signal);
  return {
    authorizeUrl({ state, redirectUrl }) {
      const url = new URL(options.authorizeUrl);
      url.searchParams.set('client_id', settingsOf(options).clientId);
      url.searchParams.set('redirect_uri', redirectUrl);
      url.searchParams.set('response_type', 'code');
      url.searchParams.set('state', state);
      if (options.scope) url.searchParams.set('scope', options.scope);
      return url.href;
    },
    async redeemCode({ code, redirectUrl }, callOptions) {
      const form = { grant_type: 'authorization_code', code, redirect_uri: redirectUrl };
      const granted = await grant(form, callOptions);
      if (!granted)
        throw invalid(`${hostName} does not accept this code: it was used before, or is too old. Begin again.`);
      return tokensOf(granted, { clock, oldRefreshToken: null });
    },
    async refreshTokens(refreshToken, callOptions) {
      const granted = await grant({ grant_type: 'refresh_token', refresh_token: refreshToken }, callOptions);
      return granted && tokensOf(granted, { clock, oldRefreshToken: refreshToken });
    },
  };
}

const tokenAnswer = z.object({
  access_token: z.string().min(1),
  refresh_token: z.string().min(1).nullish(),
  expires_in: z.number().positive().nullish(),
});
const errorAnswer = z.object({ error: z.string() });

/** Null: the grant is not good, or no longer. */
type Granted = z.infer<typeof tokenAnswer> | null;

async function askForTokens(
  options: CodeGrantOptions,
  form: Record<string, string>,
  signal: AbortSignal | undefined,
): Promise<Granted> {
  const { clientId, clientSecret } = settingsOf(options);
  const isBasic = options.clientBy === 'basic';
  const response = await options.fetch(options.tokenUrl, {
    method: 'POST',
    headers: {
      accept: 'application/json',
      'content-type': 'application/x-www-form-urlencoded',
      ...(isBasic && { authorization: basic(clientId, clientSecret) }),
    },
    body: new URLSearchParams(
      isBasic ? form : { ...form, client_id: clientId, client_secret: clientSecret },
    ).toString(),
    signal,
  });
  const answer: unknown = await response.json().catch(() => null);
  if (response.ok) return readAnswer(answer, { shape: tokenAnswer, hostName: options.hostName });
  // The host says everything as JSON: what is none is a proxy's or a firewall's, and nothing for the operator to mend.
  if (typeof answer !== 'object' || answer === null) throw strangeAnswer(options.hostName);
  const error = errorAnswer.safeParse(answer).data?.error ?? `status ${response.status}`;
  if (error === 'invalid_grant') return null;
  throw refused(options.hostName, new HostRefusal(response.status, error));
}

/** Everything but a grant that is no longer good is the operator's to mend. */
function refused(hostName: string, cause: HostRefusal): Fault {
  const message =
    `${hostName} does not accept the credentials of this platform (${cause.message}). ` +
    'The operator can correct the client id, the client secret or the callback address: see `lilac admin vcs`.';
  return new Fault('CF001', message, { cause });
}

function settingsOf({ settings, hostName }: CodeGrantOptions): OAuthSettings {
  if (settings) return settings;
  throw new Fault(
    'CF001',
    `${hostName} is not set up on this platform. The operator does so with \`lilac admin vcs\`.`,
  );
}

/** Some hosts give a new refresh token each time, others let the old one stand. */
function tokensOf(
  { access_token: accessToken, refresh_token: refreshToken, expires_in: seconds }: NonNullable<Granted>,
  { clock, oldRefreshToken }: { clock: Clock; oldRefreshToken: string | null },
): PersonTokens {
  return {
    accessToken,
    refreshToken: refreshToken ?? oldRefreshToken,
    expiresAt: seconds ? clock.now().getTime() + seconds * 1000 : null,
  };
}

/** Each part is form-encoded first (RFC 6749, 2.3.1). */
function basic(clientId: string, clientSecret: string): string {
  const pair = [clientId, clientSecret].map((part) => encodeURIComponent(part)).join(':');
  return `Basic ${Buffer.from(pair).toString('base64')}`;
}
