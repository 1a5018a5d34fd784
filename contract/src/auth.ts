import { z } from 'zod';
import { session, tokenPair, userProfile } from './account-shapes.ts';
import { email, id, message, name, password, timestamp } from './common-shapes.ts';
import { endpoint, readOnly } from './endpoint.ts';
import { clientType, idempotencyKey } from './request-headers.ts';
import { forAnybody, forOneself } from './scopes.ts';

const opaqueToken = z.string().min(1).max(512);
const code = z.string().min(1).max(64);
const consolePassword = z
  .string()
  .min(1)
  .max(4096)
  .meta({
    description: 'A compact JWE that only the console back end can make; never the password in clear.',
    examples: ['eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIn0..iv.ciphertext.tag'],
  });
/** Left out by browsers, which send the cookie; everybody else must know that it goes here. */
const ownRefreshToken = z
  .object({ refreshToken: opaqueToken.optional().meta({ description: 'Browsers send the cookie instead.' }) })
  .optional()
  .meta({ examples: [{ refreshToken: 'the-refresh-token-you-hold' }] });

export const auth = {
  'auth.login': endpoint({
    ...forAnybody,
    path: '/api/auth/login',
    summary: 'Sign in with a password (the console only)',
    description:
      'For the console only: the password is a compact JWE under a key that only the console back end holds. ' +
      'Programs sign in with the device flow (/api/auth/device/code) or use an API key. ' +
      'An account with a second factor gets a pending token, to be exchanged at /api/auth/login/mfa.',
    headers: [clientType],
    body: z.object({ email, password: consolePassword }),
    output: z.union([tokenPair, z.object({ mfaRequired: z.literal(true), pendingToken: z.string() })]),
    errors: ['CA002'],
  }),
  'auth.login.mfa': endpoint({
    ...forAnybody,
    path: '/api/auth/login/mfa',
    summary: 'Finish signing in with a TOTP or recovery code',
    headers: [clientType],
    body: z.object({ pendingToken: opaqueToken, code }),
    output: tokenPair,
    errors: ['CA002'],
  }),
  'auth.setup': endpoint({
    ...forAnybody,
    path: '/api/auth/setup',
    summary: 'Create the first owner with the one-time set-up link',
    headers: [clientType],
    body: z.object({
      setupToken: opaqueToken,
      email,
      password,
      firstName: name,
      organisationName: name,
    }),
    status: 201,
    output: tokenPair,
    errors: ['CA002', 'CF001'],
  }),
  'auth.setup.lookup': endpoint({
    ...forAnybody,
    path: '/api/auth/setup/lookup',
    summary: 'Tell whether a set-up link can still be used, without using it',
    body: z.object({ setupToken: opaqueToken }),
    output: z.object({ usable: z.boolean() }),
  }),
  'auth.register': endpoint({
    ...forAnybody,
    path: '/api/auth/register',
    summary: 'Create an account from an invitation',
    description: 'The account gets the address the invitation was sent to; no other can be chosen.',
    headers: [clientType],
    body: z.object({ invitationToken: opaqueToken, password, firstName: name }),
    status: 201,
    output: tokenPair,
    errors: ['NF001', 'CF001'],
  }),
  'auth.refresh': endpoint({
    ...forAnybody,
    path: '/api/auth/refresh',
    summary: 'Exchange a refresh token for a new pair',
    description:
      'Single use. Outside a browser send X-Client-Type: cli, or only an access token comes back. ' +
      'A client that lost the answer may repeat the call within a few seconds with the same ' +
      'Idempotency-Key header.',
    headers: [clientType, idempotencyKey],
    body: ownRefreshToken,
    output: tokenPair,
    errors: ['CA001', 'CA002'],
  }),
  'auth.logout': endpoint({
    ...forAnybody,
    path: '/api/auth/logout',
    summary: 'Revoke the refresh token and clear the cookie',
    description: 'Access tokens already issued stay valid until they expire.',
    body: ownRefreshToken,
    output: message,
  }),
  'auth.profile': endpoint({
    ...forOneself,
    method: 'GET',
    path: '/api/auth/profile',
    summary: 'Show the signed-in person and their organisations',
    output: userProfile,
    cli: ['whoami'],
    mcp: readOnly,
  }),
  'auth.sessions': endpoint({
    ...forOneself,
    path: '/api/auth/sessions',
    summary: 'List connected devices',
    body: z.object({}).optional(),
    output: z.array(session),
  }),
  'auth.sessions.revoke': endpoint({
    ...forOneself,
    path: '/api/auth/sessions/revoke',
    summary: 'Sign a connected device out',
    needsLiveSession: true,
    body: z.object({ sessionId: id }),
    output: z.object({ revoked: z.literal(true) }),
    errors: ['NF001'],
  }),
  'auth.device.code': endpoint({
    ...forAnybody,
    path: '/api/auth/device/code',
    summary: 'Start a device sign-in (RFC 8628)',
    acceptsForm: true,
    body: z.object({ client_id: z.string().min(1).max(100), scope: z.string().max(200).optional() }),
    output: z.object({
      device_code: z.string(),
      user_code: z.string(),
      verification_uri: z.string(),
      verification_uri_complete: z.string(),
      expires_in: z.int(),
      interval: z.int(),
    }),
  }),
  'auth.device.token': endpoint({
    ...forAnybody,
    path: '/api/auth/device/token',
    summary: 'Poll for the tokens of a device sign-in (RFC 8628)',
    description:
      'Until it is approved the answer is 400 with the RFC error (authorization_pending, slow_down, ' +
      'access_denied, expired_token, invalid_grant) beside message and code.',
    acceptsForm: true,
    body: z.object({
      grant_type: z.string().min(1).max(100),
      device_code: z.string().min(1).max(200),
      client_id: z.string().min(1).max(100),
    }),
    output: z.object({
      access_token: z.string(),
      token_type: z.literal('Bearer'),
      expires_in: z.int(),
      refresh_token: z.string(),
    }),
  }),
  'auth.device.lookup': endpoint({
    ...forOneself,
    path: '/api/auth/device/lookup',
    summary: 'Show which device asks to be signed in',
    body: z.object({ userCode: z.string().min(1).max(32) }),
    output: z.object({
      client: z.string(),
      address: z.string().nullable(),
      userAgent: z.string().nullable(),
      requested_at: timestamp,
      expires_at: timestamp,
    }),
    errors: ['NF001'],
  }),
  'auth.device.decide': endpoint({
    ...forOneself,
    path: '/api/auth/device/decide',
    summary: 'Approve or refuse a device sign-in',
    needsLiveSession: true,
    body: z.object({ userCode: z.string().min(1).max(32), approve: z.boolean() }),
    output: z.object({ approved: z.boolean() }),
    errors: ['NF001'],
  }),
};
