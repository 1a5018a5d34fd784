import type { Tx } from '../../db/pool.ts';
import type { InvitationRow, OrganisationRow } from '../../db/schema.ts';
import { Fault } from '../../lib/fault.ts';
import { recordActivity } from '../activity/record-activity.ts';
import { markAccepted } from './invitation-store.ts';
import { insertMembership } from './membership-store.ts';
import { lockOrganisation } from './organisation-store.ts';

export interface Acceptance {
  /** From `findOpenInvitation`; whether it is still open is decided here. */
  invitation: InvitationRow;
  /** Whoever calls has made sure that the invitation's address is this person's. */
  userId: string;
}

/** Joins the person to the organisation. An invitation works once, however many try at the same time. */
export async function acceptInvitation(tx: Tx, { invitation, userId }: Acceptance): Promise<OrganisationRow> {
  const organisation = await lockOrganisation(tx, invitation.organisation_id);
  if (!organisation || !(await markAccepted(tx, invitation.id))) throw unusableInvitation();
  const organisationId = organisation.id;
  if (await insertMembership(tx, { organisationId, userId, role: invitation.role })) {
    const caller = { kind: 'session', userId } as const;
    await recordActivity(tx, { organisationId, subject: invitation.email, action: 'member_joined', caller });
  }
  return organisation;
}

/** One answer for everything that can be wrong: a stranger learns nothing from trying. */
export function unusableInvitation(): Fault {
  return new Fault(
    'NF001',
    'This invitation cannot be used: it has expired, was used or withdrawn, or is addressed to somebody else. ' +
      'Ask an owner of the organisation for a new one.',
  );
}
