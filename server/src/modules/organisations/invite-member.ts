import type { Role } from '@lilac/contract/permissions';
import type { InvitationRow } from '../../db/schema.ts';
import type { SessionCaller } from '../../http/handler.ts';
import { conflict, notFound } from '../../lib/fault.ts';
import { newToken, sha256 } from '../../lib/hash.ts';
import { newId } from '../../lib/ids.ts';
import { recordActivity } from '../activity/record-activity.ts';
import { insertInvitation, revokeInvitationsOf } from './invitation-store.ts';
import { hasMemberWithEmail } from './membership-store.ts';
import { lockOrganisation } from './organisation-store.ts';
import type { OrganisationsDeps } from './organisations-deps.ts';

export interface InvitationToSend {
  organisationId: string;
  email: string;
  role: Role;
  caller: SessionCaller;
}

const LIFETIME_MS = 7 * 24 * 60 * 60 * 1000;

/** The link is in the answer only: the store keeps a hash of its token. */
export async function inviteMember(
  { store, clock, config }: OrganisationsDeps,
  { organisationId, email, role, caller }: InvitationToSend,
): Promise<{ invitation: InvitationRow; url: string }> {
  const now = clock.now();
  const token = newToken();
  const invitation = await store.db.transaction().execute(async (tx) => {
    if (!(await lockOrganisation(tx, organisationId))) throw notFound('Organisation');
    if (await hasMemberWithEmail(tx, { organisationId, email })) {
      throw conflict('Somebody with this address is a member of the organisation already.');
    }
    await revokeInvitationsOf(tx, { organisationId, email, now });
    await recordActivity(tx, { organisationId, subject: email, action: 'member_invited', caller });
    return insertInvitation(tx, {
      id: newId('inv', now.getTime()),
      organisation_id: organisationId,
      email,
      role,
      token_hash: sha256(token),
      invited_by: caller.userId,
      expires_at: new Date(now.getTime() + LIFETIME_MS),
    });
  });
  // After the #, so that it reaches no server's log.
  return { invitation, url: `${config.publicUrl.origin}/invite#${token}` };
}
