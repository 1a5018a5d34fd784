import { createSecretKey, hash, type KeyObject } from 'node:crypto';
import { jwtVerify, SignJWT } from 'jose';
import type { SessionCaller } from '../../http/handler.ts';
import type { Clock } from '../../lib/clock.ts';

export const ACCESS_TOKEN_SECONDS = 15 * 60;

const ISSUER = 'lilac';
const AUDIENCE = 'lilac-api';
const TYPE = 'at+jwt';
const ALGORITHM = 'HS256';
/** Ours have some 250 characters; nothing longer is worth hashing. */
const MAX_LENGTH = 1024;

export interface AccessTokens {
  issue(caller: { userId: string; sessionId: string }): Promise<string>;
  /** Null for whatever is not a token of ours that is still valid. */
  verify(token: string): Promise<SessionCaller | null>;
}

export interface AccessTokenOptions {
  signingKey: Buffer;
  clock: Clock;
  maxCached?: number;
}

interface Verified {
  caller: SessionCaller;
  expiresAtMs: number;
}

/**
 * Signed tokens that stand for themselves until they expire (specification, Authentication). They carry
 * who and which session, nothing about access: that is read from the store on every request.
 */
export function createAccessTokens({ signingKey, clock, maxCached = 10_000 }: AccessTokenOptions): AccessTokens {
  const key = createSecretKey(signingKey);
  const verified = new Map<string, Verified>();
  return {
    issue: ({ userId, sessionId }) => {
      const issuedAt = Math.floor(clock.now().getTime() / 1000);
      return new SignJWT({ sid: sessionId })
        .setProtectedHeader({ alg: ALGORITHM, typ: TYPE })
        .setSubject(userId)
        .setIssuer(ISSUER)
        .setAudience(AUDIENCE)
        .setIssuedAt(issuedAt)
        .setExpirationTime(issuedAt + ACCESS_TOKEN_SECONDS)
        .sign(key);
    },
    async verify(token) {
      if (token.length > MAX_LENGTH) return null;
      // The hash and not the token is the key, so that a dump of the memory's map holds no credential.
      const digest = hash('sha256', token, 'base64');
      const known = verified.get(digest);
      const fresh = known ?? (await verifySignature(token, key, clock));
      if (known) verified.delete(digest);
      if (!fresh || fresh.expiresAtMs <= clock.now().getTime()) return null;
      // Taken out and put back, an entry becomes the youngest; the oldest is the first of a Map.
      verified.set(digest, fresh);
      if (verified.size > maxCached) verified.delete(verified.keys().next().value!);
      return fresh.caller;
    },
  };
}

async function verifySignature(token: string, key: KeyObject, clock: Clock): Promise<Verified | null> {
  try {
    const { payload } = await jwtVerify<{ sid: string }>(token, key, {
      algorithms: [ALGORITHM],
      typ: TYPE,
      issuer: ISSUER,
      audience: AUDIENCE,
      requiredClaims: ['sub', 'sid', 'exp'],
      currentDate: clock.now(),
    });
    const caller: SessionCaller = { kind: 'session', userId: payload.sub!, sessionId: payload.sid };
    return { caller, expiresAtMs: payload.exp! * 1000 };
  } catch {
    return null;
  }
}
