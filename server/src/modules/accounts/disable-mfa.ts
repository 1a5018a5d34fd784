import type { MfaDeps } from './accounts-deps.ts';
import { confirmPassword, confirmSecondFactor, type Person } from './confirm-person.ts';
import { deleteMfaChallengesOf } from './mfa-challenge-store.ts';
import { removeTotp } from './mfa-store.ts';

/** Removing a factor takes both: the password and a code. */
export async function disableMfa(
  deps: MfaDeps,
  person: Person,
  { currentPassword, code }: { currentPassword: string; code: string },
): Promise<void> {
  await confirmPassword(deps, person, currentPassword);
  const user = await confirmSecondFactor(deps, person, code);
  await deps.store.db.transaction().execute(async (tx) => {
    // In the order in which finishing a sign-in locks them.
    await deleteMfaChallengesOf(tx, user.id);
    await removeTotp(tx, user.id);
  });
}
