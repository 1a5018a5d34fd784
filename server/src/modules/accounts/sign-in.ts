import type { UserRow } from '../../db/schema.ts';
import { Fault } from '../../lib/fault.ts';
import { newToken, sha256 } from '../../lib/hash.ts';
import type { AccountsDeps, StoreDeps } from './accounts-deps.ts';
import { decryptConsolePassword } from './console-password.ts';
import { insertMfaChallenge } from './mfa-challenge-store.ts';
import { hashPassword, needsRehash, verifyPassword } from './password.ts';
import { throttleAttempt } from './throttle-attempt.ts';
import { findUserByEmail, replacePasswordHash } from './user-store.ts';

const CHALLENGE_MS = 5 * 60 * 1000;

export interface SignIn {
  email: string;
  /** As the console back end encrypted it. */
  encryptedPassword: string;
  address: string;
}

export type SignInResult = { kind: 'signed in'; userId: string } | { kind: 'second factor'; pendingToken: string };

/** The first step of signing in: the password. */
export async function signIn(deps: AccountsDeps, signIn: SignIn): Promise<SignInResult> {
  const attempt = { purpose: 'login', address: signIn.address, account: signIn.email } as const;
  const user = await throttleAttempt(deps, attempt, () => checkCredentials(deps, signIn));
  return user.totp_enabled_at
    ? { kind: 'second factor', pendingToken: await openChallenge(deps, user.id) }
    : { kind: 'signed in', userId: user.id };
}

async function checkCredentials(deps: AccountsDeps, { email, encryptedPassword }: SignIn): Promise<UserRow> {
  const password = await decryptConsolePassword(deps.consolePasswordKey, encryptedPassword, deps.clock);
  if (password === null) {
    throw new Fault('CA002', 'This endpoint is for the console. Sign in there, or by a device code from a terminal.');
  }
  const user = await findUserByEmail(deps.store.db, email);
  const isRight = await verifyPassword(user?.password_hash ?? null, password);
  // One answer for both, so that nobody learns who has an account.
  if (!user || !isRight) throw new Fault('CA002', 'The e-mail address or the password is wrong.');
  if (needsRehash(user.password_hash)) await rehash(deps, user, password);
  return user;
}

async function rehash({ store }: StoreDeps, user: UserRow, password: string): Promise<void> {
  await replacePasswordHash(store.db, {
    userId: user.id,
    from: user.password_hash,
    to: await hashPassword(password),
  });
}

async function openChallenge({ store, clock }: StoreDeps, userId: string): Promise<string> {
  const pendingToken = newToken();
  const expiresAt = new Date(clock.now().getTime() + CHALLENGE_MS);
  await insertMfaChallenge(store.db, { tokenHash: sha256(pendingToken), userId, expiresAt });
  return pendingToken;
}
