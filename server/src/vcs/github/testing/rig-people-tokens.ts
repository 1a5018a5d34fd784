import { randomBytes } from 'node:crypto';
import type { RigLogin } from '../../testing/host-rig.ts';
import type { PersonTokens } from '../../vcs-host.ts';
import type { EmulatedGithub } from './emulated-github.ts';
import type { RigToken } from './rig-installations.ts';

/** People who sign in. The emulated host has codes and tokens; that tokens end and are refreshed is added here. */
export interface RigSignIn {
  /** The page where a person says yes has sent them back with this. */
  codeFor(login: RigLogin, request: { redirectUrl: string; state: string }): Promise<string>;
  /** What the host answers to the form. */
  grant(form: URLSearchParams): Promise<Record<string, unknown>>;
  /** What a person has after both. */
  tokensOf(login: RigLogin): Promise<PersonTokens>;
  takeBack(login: RigLogin): void;
}

const ACCESS_SECONDS = 28_800;
const REFRESH_SECONDS = 15_897_600;

export function createRigSignIn(github: EmulatedGithub, tokens: Map<string, RigToken>): RigSignIn {
  const { clientId, clientSecret } = github.settings;
  const codes = new Map<string, RigLogin>();
  /** By the refresh token. */
  const grants = new Map<string, { login: RigLogin; accessToken: string }>();

  const codeFor: RigSignIn['codeFor'] = async (login, { redirectUrl, state }) => {
    const form = { login, redirect_uri: redirectUrl, scope: '', state, client_id: clientId };
    const response = await github.request('/login/oauth/callback', { method: 'POST', body: new URLSearchParams(form) });
    const location = response.headers.get('location') ?? '';
    const code = new URL(location).searchParams.get('code') ?? '';
    codes.set(code, login);
    return code;
  };

  /** Codes are used once, whoever uses them; the emulated host says who the client is. */
  async function redeem(form: URLSearchParams): Promise<Record<string, unknown>> {
    const headers = { accept: 'application/json' };
    const response = await github.request('/login/oauth/access_token', { method: 'POST', headers, body: form });
    const answer = (await response.json()) as Record<string, unknown>;
    const login = codes.get(form.get('code') ?? '');
    if (typeof answer['access_token'] !== 'string' || !login) return answer;
    const accessToken = answer['access_token'];
    const refreshToken = `ghr_${randomBytes(20).toString('base64url')}`;
    tokens.set(accessToken, { kind: 'person', login });
    grants.set(refreshToken, { login, accessToken });
    return {
      ...answer,
      expires_in: ACCESS_SECONDS,
      refresh_token: refreshToken,
      refresh_token_expires_in: REFRESH_SECONDS,
    };
  }

  /** What was before is no longer good: each refresh token is used once. */
  async function refresh(form: URLSearchParams): Promise<Record<string, unknown>> {
    if (form.get('client_id') !== clientId || form.get('client_secret') !== clientSecret) {
      return { error: 'incorrect_client_credentials', error_description: 'The client is not known.' };
    }
    const old = form.get('refresh_token') ?? '';
    const grant = grants.get(old);
    if (!grant) return { error: 'bad_refresh_token', error_description: 'It is incorrect or expired.' };
    grants.delete(old);
    tokens.delete(grant.accessToken);
    return redeemFor(grant.login);
  }

  async function redeemFor(login: RigLogin): Promise<Record<string, unknown>> {
    const code = await codeFor(login, { redirectUrl: 'http://127.0.0.1:9/', state: '' });
    return redeem(new URLSearchParams({ client_id: clientId, client_secret: clientSecret, code }));
  }

  return {
    codeFor,
    grant: (form) => (form.get('grant_type') === 'refresh_token' ? refresh(form) : redeem(form)),
    async tokensOf(login) {
      const granted = await redeemFor(login);
      return {
        accessToken: String(granted['access_token']),
        refreshToken: String(granted['refresh_token']),
        expiresAt: Date.now() + Number(granted['expires_in']) * 1000,
      };
    },
    takeBack(login) {
      for (const [refreshToken, grant] of grants) {
        if (grant.login !== login) continue;
        grants.delete(refreshToken);
        tokens.delete(grant.accessToken);
      }
    },
  };
}
