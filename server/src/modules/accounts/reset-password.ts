import { password as passwordShape } from '@lilac/contract/common-shapes';
import type { Tx } from '../../db/pool.ts';
import type { UserRow } from '../../db/schema.ts';
import { invalid } from '../../lib/fault.ts';
import type { StoreDeps } from './accounts-deps.ts';
import { removeTotp } from './mfa-store.ts';
import { refuseObvious } from './obvious-password.ts';
import { hashPassword } from './password.ts';
import { replacePassword } from './replace-password.ts';

export interface PasswordReset {
  user: UserRow;
  newPassword: string;
  /** Whoever lost what makes the codes has lost the way in with it. */
  removesSecondFactor: boolean;
}

/** Without the old password, for who has forgotten it. Whoever is signed in as this person is out. */
export async function resetPassword(
  { store, clock }: StoreDeps,
  { user, newPassword, removesSecondFactor }: PasswordReset,
  /** What is done in the same transaction. */
  beside: (tx: Tx) => Promise<void>,
): Promise<void> {
  if (!passwordShape.safeParse(newPassword).success) throw invalid('The password must have 8 to 256 characters.');
  refuseObvious(newPassword, { email: user.email, field: 'password' });
  const hash = await hashPassword(newPassword);
  await store.db.transaction().execute(async (tx) => {
    await replacePassword(tx, { user, hash, keptSessionId: null, now: clock.now() });
    if (removesSecondFactor) await removeTotp(tx, user.id);
    await beside(tx);
  });
}
