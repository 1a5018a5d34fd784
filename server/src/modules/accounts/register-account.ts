import { conflict } from '../../lib/fault.ts';
import { sha256 } from '../../lib/hash.ts';
import { newId } from '../../lib/ids.ts';
import { acceptInvitation, unusableInvitation } from '../organisations/accept-invitation.ts';
import { findOpenInvitation } from '../organisations/invitation-store.ts';
import { checkNewAccount } from './account.ts';
import type { StoreDeps } from './accounts-deps.ts';
import { hashPassword } from './password.ts';
import { insertUser } from './user-store.ts';

export interface Registration {
  invitationToken: string;
  password: string;
  firstName: string;
}

/** An account for the address that the invitation was sent to, already a member of the organisation. */
export async function registerAccount({ store, clock }: StoreDeps, registration: Registration): Promise<string> {
  const invitation = await findOpenInvitation(store.db, sha256(registration.invitationToken), clock.now());
  if (!invitation) throw unusableInvitation();
  const account = checkNewAccount({ ...registration, email: invitation.email });
  const passwordHash = await hashPassword(account.password);
  return await store.db.transaction().execute(async (tx) => {
    const userId = newId('usr');
    if (!(await insertUser(tx, { id: userId, ...account, passwordHash, now: clock.now() }))) {
      throw conflict('An account with this e-mail address exists: sign in, then accept the invitation.');
    }
    await acceptInvitation(tx, { invitation, userId });
    return userId;
  });
}
