import type { Tx } from '../../db/pool.ts';
import type { MfaDeps } from './accounts-deps.ts';
import { confirmSecondFactor, type Person } from './confirm-person.ts';
import { replaceRecoveryCodes } from './mfa-store.ts';
import { hashRecoveryCode, newRecoveryCodes } from './recovery-code.ts';

/** New codes for a person who used or lost theirs; the old ones stop working. */
export async function renewRecoveryCodes(deps: MfaDeps, person: Person, code: string): Promise<string[]> {
  const user = await confirmSecondFactor(deps, person, code);
  return await deps.store.db.transaction().execute((tx) => issueRecoveryCodes(tx, user.id));
}

/** Only hashes are kept, so this is the one time the codes can be shown. */
export async function issueRecoveryCodes(tx: Tx, userId: string): Promise<string[]> {
  const codes = newRecoveryCodes();
  await replaceRecoveryCodes(
    tx,
    userId,
    codes.map((code) => hashRecoveryCode(code)!),
  );
  return codes;
}
