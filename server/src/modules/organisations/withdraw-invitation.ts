import type { Caller } from '../../http/handler.ts';
import { notFound } from '../../lib/fault.ts';
import { recordActivity } from '../activity/record-activity.ts';
import { revokeInvitation } from './invitation-store.ts';
import { lockOrganisation } from './organisation-store.ts';
import type { OrganisationsDeps } from './organisations-deps.ts';

export interface Withdrawal {
  organisationId: string;
  invitationId: string;
  caller: Caller;
}

export function withdrawInvitation(
  { store, clock }: Pick<OrganisationsDeps, 'store' | 'clock'>,
  { organisationId, invitationId, caller }: Withdrawal,
): Promise<void> {
  return store.db.transaction().execute(async (tx) => {
    await lockOrganisation(tx, organisationId);
    const email = await revokeInvitation(tx, { organisationId, invitationId, now: clock.now() });
    if (email === null) throw notFound('Invitation');
    await recordActivity(tx, { organisationId, subject: email, action: 'invitation_revoked', caller });
  });
}
