import { conflict, invalid } from '../../lib/fault.ts';
import type { MfaDeps } from './accounts-deps.ts';
import { checkTotpCode, totpPlace } from './check-second-factor.ts';
import { confirmPassword, loadUser, type Person } from './confirm-person.ts';
import { enableTotp, storePendingTotpSecret } from './mfa-store.ts';
import { issueRecoveryCodes } from './renew-recovery-codes.ts';
import { throttleAttempt } from './throttle-attempt.ts';
import { newTotpSecret, otpauthUrl } from './totp.ts';

/** Hands out a secret for the authenticator. Nothing is asked at sign-in until `confirmMfa`. */
export async function enrolMfa(
  deps: MfaDeps,
  person: Person,
  currentPassword: string,
): Promise<{ secret: string; otpauthUrl: string }> {
  const user = await confirmPassword(deps, person, currentPassword);
  const secret = newTotpSecret();
  const sealed = deps.keyring.seal(secret, totpPlace(user.id));
  if (!(await storePendingTotpSecret(deps.store.db, user.id, sealed))) throw alreadyEnabled();
  return { secret, otpauthUrl: otpauthUrl(secret, user.email) };
}

/** The first right code proves that the authenticator has the secret, and puts it in force. */
export async function confirmMfa(deps: MfaDeps, { userId, address }: Person, code: string): Promise<string[]> {
  const user = await loadUser(deps, userId);
  if (user.totp_enabled_at) throw alreadyEnabled();
  const sealedSecret = user.totp_secret;
  if (!sealedSecret) throw conflict('Begin the enrolment first.');
  await throttleAttempt(deps, { purpose: 'mfa', address, account: userId }, async () => {
    if (!(await checkTotpCode(deps, { user, code }))) {
      throw invalid('The code is wrong or was used before. Wait for the next one.');
    }
  });
  return await deps.store.db.transaction().execute(async (tx) => {
    if (!(await enableTotp(tx, { userId, sealedSecret, now: deps.clock.now() }))) {
      throw conflict('The enrolment was begun anew meanwhile. Confirm a code of the newest secret.');
    }
    return await issueRecoveryCodes(tx, userId);
  });
}

function alreadyEnabled() {
  return conflict('A second factor is already set up. Remove it first.');
}
