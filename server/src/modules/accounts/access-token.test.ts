import { randomBytes } from 'node:crypto';
import { decodeJwt, decodeProtectedHeader, SignJWT } from 'jose';
import * as jose from 'jose';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { createFakeClock } from '../../testing/fake-clock.ts';
import { ACCESS_TOKEN_SECONDS, createAccessTokens } from './access-token.ts';

vi.mock('jose', { spy: true });

/** Long enough for HS512 too, so that only the list of algorithms refuses it. */
const signingKey = randomBytes(64);
const caller = { userId: 'usr_1', sessionId: 'ses_1' };

describe('access tokens', () => {
  beforeEach(() => vi.clearAllMocks());

  it('name the person and the session, for 15 minutes, and nothing about access', async () => {
    const token = await createAccessTokens({ signingKey, clock: createFakeClock() }).issue(caller);
    expect(decodeProtectedHeader(token)).toEqual({ alg: 'HS256', typ: 'at+jwt' });
    const { iat, exp, ...claims } = decodeJwt(token);
    expect(claims).toEqual({ sub: 'usr_1', sid: 'ses_1', iss: 'lilac', aud: 'lilac-api' });
    expect(exp! - iat!).toBe(15 * 60);
  });

  it('are valid until they expire, cached or not', async () => {
    const clock = createFakeClock();
    const tokens = createAccessTokens({ signingKey, clock });
    const token = await tokens.issue(caller);
    expect(await tokens.verify(token)).toEqual({ kind: 'session', ...caller });
    clock.advance((ACCESS_TOKEN_SECONDS - 2) * 1000);
    expect(await tokens.verify(token)).toEqual({ kind: 'session', ...caller });
    clock.advance(2000);
    expect(await tokens.verify(token)).toBeNull();
    expect(await createAccessTokens({ signingKey, clock }).verify(token)).toBeNull();
  });

  it('have their signature checked once, and again when the cache has forgotten them', async () => {
    const tokens = createAccessTokens({ signingKey, clock: createFakeClock(), maxCached: 2 });
    const [first, second, third] = await Promise.all(
      ['ses_1', 'ses_2', 'ses_3'].map((sessionId) => tokens.issue({ userId: 'usr_1', sessionId })),
    );
    for (const token of [first!, second!, first!, first!]) await tokens.verify(token);
    expect(jose.jwtVerify).toHaveBeenCalledTimes(2);
    await tokens.verify(third!);
    await tokens.verify(first!);
    expect(jose.jwtVerify).toHaveBeenCalledTimes(3);
    await tokens.verify(second!);
    expect(jose.jwtVerify).toHaveBeenCalledTimes(4);
  });

  const claims = {
    sub: 'usr_1',
    sid: 'ses_1',
    iss: 'lilac',
    aud: 'lilac-api',
    exp: Math.floor(Date.now() / 1000) + 60,
  };
  const signed = (changed: object = {}, { alg = 'HS256', typ = 'at+jwt', key = signingKey } = {}) =>
    new SignJWT({ ...claims, ...changed }).setProtectedHeader({ alg, typ }).sign(key);

  it.each<[string, () => Promise<string>]>([
    ['another key', () => signed({}, { key: randomBytes(64) })],
    ['another algorithm', () => signed({}, { alg: 'HS512' })],
    ['another type', () => signed({}, { typ: 'JWT' })],
    ['another audience', () => signed({ aud: 'elsewhere' })],
    ['another issuer', () => signed({ iss: 'elsewhere' })],
    ['no expiry', () => signed({ exp: undefined })],
    ['no session', () => signed({ sid: undefined })],
    ['no signature', async () => `${base64url({ alg: 'none', typ: 'at+jwt' })}.${base64url(claims)}.`],
    [
      'a changed claim',
      async () => (await signed()).replace(/\.[^.]+\./, `.${base64url({ ...claims, sub: 'usr_2' })}.`),
    ],
    ['no sense', async () => 'nonsense'],
    ['no bounds', async () => 'a'.repeat(100_000)],
  ])('are refused with %s', async (_what, make) => {
    const tokens = createAccessTokens({ signingKey, clock: createFakeClock() });
    expect(await tokens.verify(await signed())).not.toBeNull();
    expect(await tokens.verify(await make())).toBeNull();
  });
});

function base64url(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
