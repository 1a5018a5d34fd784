import { Fault } from '../../lib/fault.ts';
import { sha256 } from '../../lib/hash.ts';
import type { MfaDeps } from './accounts-deps.ts';
import { checkSecondFactor } from './check-second-factor.ts';
import { consumeMfaChallenge, findMfaChallenge } from './mfa-challenge-store.ts';
import { sayWrongCode } from './say-wrong-code.ts';
import { throttleAttempt } from './throttle-attempt.ts';
import { findUser } from './user-store.ts';

export interface SecondStep {
  pendingToken: string;
  code: string;
  address: string;
}

/** The second step of signing in. Answers whose account it is. */
export async function finishSignIn(deps: MfaDeps, { pendingToken, code, address }: SecondStep): Promise<string> {
  const tokenHash = sha256(pendingToken);
  const userId = await findMfaChallenge(deps.store.db, tokenHash, deps.clock.now());
  if (!userId) throw endedChallenge();
  await throttleAttempt(deps, { purpose: 'mfa', address, account: userId }, () =>
    consumeChallenge(deps, { tokenHash, userId, code }),
  );
  return userId;
}

/** In one transaction: a wrong code leaves the challenge open, a right one spends both together. */
async function consumeChallenge(
  deps: MfaDeps,
  { tokenHash, userId, code }: { tokenHash: Buffer; userId: string; code: string },
): Promise<void> {
  await deps.store.db.transaction().execute(async (tx) => {
    if (!(await consumeMfaChallenge(tx, tokenHash, deps.clock.now()))) throw endedChallenge();
    const user = await findUser(tx, userId);
    if (!user || !(await checkSecondFactor(deps, { user, code }, tx))) {
      throw new Fault('CA002', sayWrongCode(code));
    }
  });
}

function endedChallenge(): Fault {
  return new Fault('CA002', 'The pending token is unknown, expired or was used before. Sign in again.');
}
