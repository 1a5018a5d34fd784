import type { IncomingMessage, ServerResponse } from 'node:http';
import { Provider, type KoaContextWithOIDC } from 'oidc-provider';
import type { OAuthSettings, PersonTokens } from '../vcs-host.ts';
import type { RigLogin } from './host-rig.ts';
import { rigLogins } from './rig-people.ts';

export interface RigOAuthOptions {
  /** The host's own address. */
  url: string;
  authorizePath: string;
  tokenPath: string;
  clientBy: 'client_secret_post' | 'client_secret_basic';
  scopes: readonly string[];
}

/** People who sign in, by an authorisation server that others wrote and certified. */
export interface RigOAuth {
  settings: OAuthSettings;
  /** True when the request is one of its own, and will be answered. */
  handle(request: IncomingMessage, response: ServerResponse): boolean;
  signIn(url: string, login: RigLogin): Promise<string>;
  tokenOf(login: RigLogin): Promise<PersonTokens>;
  takeBack(login: RigLogin): Promise<void>;
  /** Whose token it is; null when it is not good, or no longer. */
  loginOf(token: string): Promise<RigLogin | null>;
}

const settings = { clientId: 'rig-client', clientSecret: 'the-secret-of-the-client-at-the-rig' };
/** In place of a page with a form: who signs in is told by this. */
const LOGIN_HEADER = 'x-rig-login';
const INTERACTION = '/rig/interaction/';
const HOME = 'http://127.0.0.1:9/back';
const TOKEN_SECONDS = 7200;
const MOST_REDIRECTS = 10;

export function createRigOAuth(options: RigOAuthOptions): RigOAuth {
  const grants = new Map<string, string>();
  const provider = createProvider(options, grants);
  const callback = provider.callback();
  const scope = encodeURIComponent(options.scopes.join(' '));
  const ours = [options.authorizePath, options.tokenPath, INTERACTION];
  const signIn = (url: string, login: RigLogin) => visit(url, { login, home: options.url });
  return {
    settings,
    signIn,
    handle(request, response) {
      const path = request.url ?? '';
      if (!ours.some((prefix) => path.startsWith(prefix))) return false;
      // Who asks for nothing gets what the client was registered for.
      if (path.startsWith(`${options.authorizePath}?`) && !/[?&]scope=/.test(path))
        request.url = `${path}&scope=${scope}`;
      const answering = path.startsWith(INTERACTION)
        ? signInAs(provider, request, response)
        : callback(request, response);
      answering.catch((error: unknown) => {
        console.error(error);
        response.destroy();
      });
      return true;
    },
    async tokenOf(login) {
      const query = new URLSearchParams({
        client_id: settings.clientId,
        redirect_uri: HOME,
        response_type: 'code',
      });
      const back = await signIn(`${options.url}${options.authorizePath}?${query.toString()}`, login);
      return redeem(options, new URL(back).searchParams.get('code') ?? '');
    },
    async takeBack(login) {
      for (const [grantId, whose] of grants) {
        if (whose !== login) continue;
        await provider.AccessToken.revokeByGrantId(grantId);
        await provider.RefreshToken.revokeByGrantId(grantId);
      }
    },
    async loginOf(token) {
      const found = await provider.AccessToken.find(token);
      return rigLogins.find((login) => login === found?.accountId) ?? null;
    },
  };
}

/** Tokens are opaque, refresh tokens rotate, and a code or refresh token that is used twice ends the grant. */
function createProvider(options: RigOAuthOptions, grants: Map<string, string>): Provider {
  const provider = quietly(
    () =>
      new Provider(options.url, {
        clients: [
          {
            client_id: settings.clientId,
            client_secret: settings.clientSecret,
            redirect_uris: [HOME],
            grant_types: ['authorization_code', 'refresh_token'],
            response_types: ['code'],
            token_endpoint_auth_method: options.clientBy,
          },
        ],
        routes: { authorization: options.authorizePath, token: options.tokenPath },
        scopes: [...options.scopes],
        cookies: { keys: ['rig'] },
        pkce: { required: () => false },
        ttl: { AccessToken: TOKEN_SECONDS, RefreshToken: 86_400, Grant: 86_400, Session: 600, Interaction: 600 },
        features: { devInteractions: { enabled: false } },
        interactions: { url: (_context, { uid }) => INTERACTION + uid },
        issueRefreshToken: () => true,
        rotateRefreshToken: true,
        findAccount: (_context, accountId) => ({ accountId, claims: () => ({ sub: accountId }) }),
        loadExistingGrant: (context) => grantAll(context, { scopes: options.scopes, grants }),
      }),
  );
  // Where the platform is differs from test to test.
  provider.Client.prototype.redirectUriAllowed = () => true;
  return provider;
}

/** Says yes to all that is asked for. */
async function grantAll(
  { oidc }: KoaContextWithOIDC,
  { scopes, grants }: { scopes: readonly string[]; grants: Map<string, string> },
) {
  const accountId = oidc.session?.accountId;
  if (!accountId || !oidc.client) return undefined;
  const grant = new oidc.provider.Grant({ clientId: oidc.client.clientId, accountId });
  grant.addOIDCScope(scopes.join(' '));
  grants.set(await grant.save(), accountId);
  return grant;
}

async function signInAs(provider: Provider, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const accountId = String(request.headers[LOGIN_HEADER]);
  await provider.interactionFinished(request, response, { login: { accountId } });
}

async function redeem(options: RigOAuthOptions, code: string): Promise<PersonTokens> {
  const isBasic = options.clientBy === 'client_secret_basic';
  const { clientId, clientSecret } = settings;
  const client = isBasic ? null : { client_id: clientId, client_secret: clientSecret };
  const basic = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`;
  const response = await fetch(options.url + options.tokenPath, {
    method: 'POST',
    headers: isBasic ? { authorization: basic } : {},
    body: new URLSearchParams({ grant_type: 'authorization_code', code, redirect_uri: HOME, ...client }),
  });
  const answer = (await response.json()) as { access_token: string; refresh_token: string; expires_in: number };
  if (!response.ok) throw new Error(JSON.stringify(answer));
  return {
    accessToken: answer.access_token,
    refreshToken: answer.refresh_token,
    expiresAt: Date.now() + answer.expires_in * 1000,
  };
}

/** A browser that keeps cookies and follows whereto it is sent, as long as that is the host. */
async function visit(first: string, { login, home }: { login: RigLogin; home: string }): Promise<string> {
  const cookies = new Map<string, string>();
  let url = first;
  for (let redirects = 0; redirects < MOST_REDIRECTS; redirects += 1) {
    const cookie = [...cookies].map((pair) => pair.join('=')).join('; ');
    const response = await fetch(url, { redirect: 'manual', headers: { cookie, [LOGIN_HEADER]: login } });
    for (const line of response.headers.getSetCookie()) {
      const [pair = ''] = line.split(';');
      cookies.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1));
    }
    const location = response.headers.get('location');
    if (!location) throw new Error(`${url} does not lead back: ${response.status} ${await response.text()}`);
    url = new URL(location, url).href;
    if (new URL(url).origin !== new URL(home).origin) return url;
  }
  throw new Error(`${first} leads in circles.`);
}

/** It warns of all that would be wrong in production. */
function quietly<T>(make: () => T): T {
  const { info, warn } = console;
  Object.assign(console, { info: () => {}, warn: () => {} });
  try {
    return make();
  } finally {
    Object.assign(console, { info, warn });
  }
}
