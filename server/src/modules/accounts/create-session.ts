import type { Db } from '../../db/pool.ts';
import type { SessionKind } from '../../db/schema.ts';
import { newToken, sha256 } from '../../lib/hash.ts';
import { newId } from '../../lib/ids.ts';
import type { SessionDeps } from './accounts-deps.ts';
import { insertSession } from './session-store.ts';
import { expiryFrom } from './session.ts';

export interface TokenPair {
  token: string;
  refreshToken: string;
}

export interface SessionToCreate {
  userId: string;
  kind: SessionKind;
  /** What the list of connected devices shows. */
  device: string;
  address: string | null;
}

/** Signs a person in on a device. Whoever calls has made sure who it is. */
export async function createSession(
  deps: SessionDeps,
  { userId, kind, device, address }: SessionToCreate,
  db: Db = deps.store.db,
): Promise<TokenPair & { sessionId: string }> {
  const now = deps.clock.now();
  const sessionId = newId('ses', now.getTime());
  const refreshToken = newToken();
  await insertSession(db, {
    id: sessionId,
    userId,
    kind,
    device,
    address,
    refreshTokenHash: sha256(refreshToken),
    now,
    expiresAt: expiryFrom(now),
  });
  return { token: await deps.accessTokens.issue({ userId, sessionId }), refreshToken, sessionId };
}
