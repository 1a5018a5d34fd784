import type { Db } from '../../db/pool.ts';
import type { UserRow } from '../../db/schema.ts';
import type { SealedPlace } from '../../secrets/keyring.ts';
import type { MfaDeps } from './accounts-deps.ts';
import { spendRecoveryCode, spendTotpStep } from './mfa-store.ts';
import { hashRecoveryCode } from './recovery-code.ts';
import { normaliseTotpCode, totpStepOf } from './totp.ts';

/** Takes a TOTP code or a recovery code. Either is spent by being right: it never works again. */
export async function checkSecondFactor(
  deps: MfaDeps,
  { user, code }: { user: UserRow; code: string },
  db: Db = deps.store.db,
): Promise<boolean> {
  const codeHash = hashRecoveryCode(code);
  return codeHash
    ? await spendRecoveryCode(db, { userId: user.id, codeHash, now: deps.clock.now() })
    : await checkTotpCode(deps, { user, code }, db);
}

/** The same for a code of the authenticator only. */
export async function checkTotpCode(
  { store, clock, keyring }: MfaDeps,
  { user, code }: { user: UserRow; code: string },
  db: Db = store.db,
): Promise<boolean> {
  const digits = normaliseTotpCode(code);
  if (!digits || !user.totp_secret) return false;
  const step = totpStepOf(keyring.open(user.totp_secret, totpPlace(user.id)), digits, clock.now());
  return step !== null && (await spendTotpStep(db, user.id, step));
}

export function totpPlace(userId: string): SealedPlace {
  return { table: 'users', row: userId, column: 'totp_secret' };
}
