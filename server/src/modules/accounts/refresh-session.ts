import { Fault } from '../../lib/fault.ts';
import { newToken, sha256 } from '../../lib/hash.ts';
import type { SessionDeps } from './accounts-deps.ts';
import type { TokenPair } from './create-session.ts';
import {
  findRefreshToken,
  lockRefreshToken,
  replaceSuccessor,
  rotateRefreshToken,
  type KnownRefreshToken,
  type RotatedSession,
} from './refresh-token-store.ts';
import { revokeSession } from './session-store.ts';
import { expiryFrom, judgeRefusedRefresh, type RefusedRefreshOutcome } from './session.ts';

export interface Refresh {
  refreshToken: string;
  idempotencyKey: string | null;
  address: string;
}

/** Exchanges a refresh token, once, for a new pair. */
export async function refreshSession(deps: SessionDeps, refresh: Refresh): Promise<TokenPair> {
  const now = deps.clock.now();
  const successor = newToken();
  const rotation = {
    tokenHash: sha256(refresh.refreshToken),
    successorHash: sha256(successor),
    idempotencyKeyHash: refresh.idempotencyKey ? sha256(refresh.idempotencyKey) : null,
    address: refresh.address,
    now,
    expiresAt: expiryFrom(now),
  };
  const rotated = await rotateRefreshToken(deps.store.db, rotation);
  const session = rotated ?? (await resolveRefused(deps, rotation));
  return { token: await deps.accessTokens.issue(session), refreshToken: successor };
}

interface RefusedRotation {
  tokenHash: Buffer;
  successorHash: Buffer;
  idempotencyKeyHash: Buffer | null;
  now: Date;
}

async function resolveRefused(deps: SessionDeps, rotation: RefusedRotation): Promise<RotatedSession> {
  const token = await findRefreshToken(deps.store.db, rotation.tokenHash);
  if (!token) throw refusal('The refresh token is unknown or expired. Sign in again.');
  const outcome = judgeRefusedRefresh(token, rotation);
  if (outcome === 'retry') return await reissue(deps, rotation);
  if (outcome === 'stolen') {
    await revokeSession(deps.store.db, token.sessionId, { because: 'refresh token reused', now: rotation.now });
  }
  throw refusal(refusals[outcome]);
}

const refusals = {
  dead: 'The session has ended. Sign in again.',
  simultaneous: 'The refresh token was exchanged a moment ago. Use the tokens that call returned.',
  stolen: 'The refresh token was used before, so its session has been ended. Sign in again.',
} satisfies Record<Exclude<RefusedRefreshOutcome, 'retry'>, string>;

/** The answer was lost, so nobody holds the successor: another takes its place. */
async function reissue(deps: SessionDeps, rotation: RefusedRotation): Promise<KnownRefreshToken> {
  return await deps.store.db.transaction().execute(async (tx) => {
    const token = await lockRefreshToken(tx, rotation.tokenHash);
    const isReplaced =
      token?.successorHash &&
      (await replaceSuccessor(tx, {
        tokenHash: rotation.tokenHash,
        successorHash: token.successorHash,
        replacementHash: rotation.successorHash,
      }));
    if (!isReplaced) throw refusal('The tokens that this call returned are already in use.');
    return token;
  });
}

function refusal(message: string): Fault {
  return new Fault('CA002', message);
}
