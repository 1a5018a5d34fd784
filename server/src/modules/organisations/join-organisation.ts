import type { OrganisationRow } from '../../db/schema.ts';
import { sha256 } from '../../lib/hash.ts';
import { acceptInvitation, unusableInvitation } from './accept-invitation.ts';
import { findOpenInvitationFor } from './invitation-store.ts';
import type { OrganisationsDeps } from './organisations-deps.ts';

/** Only for the person whose address the invitation names, however the link reached the caller. */
export function joinOrganisation(
  { store, clock }: OrganisationsDeps,
  { token, userId }: { token: string; userId: string },
): Promise<OrganisationRow> {
  return store.db.transaction().execute(async (tx) => {
    const invitation = await findOpenInvitationFor(tx, { tokenHash: sha256(token), userId, now: clock.now() });
    if (!invitation) throw unusableInvitation();
    return acceptInvitation(tx, { invitation, userId });
  });
}
