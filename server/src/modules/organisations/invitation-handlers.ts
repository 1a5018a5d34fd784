import type { HandlersFor } from '../../http/handler.ts';
import { sha256 } from '../../lib/hash.ts';
import { unusableInvitation } from './accept-invitation.ts';
import { describeOpenInvitation, listOpenInvitations } from './invitation-store.ts';
import { inviteMember } from './invite-member.ts';
import { joinOrganisation } from './join-organisation.ts';
import type { OrganisationsDeps } from './organisations-deps.ts';
import { presentInvitation, presentOrganisation } from './present.ts';
import { withdrawInvitation } from './withdraw-invitation.ts';

type InvitationHandlers = HandlersFor<'organisations.invitations'> &
  Pick<HandlersFor<'organisations'>, 'organisations.invite' | 'organisations.invitations'>;

export function invitationHandlers(deps: OrganisationsDeps): InvitationHandlers {
  const { db } = deps.store;
  return {
    'organisations.invite': async ({ body: { email, role }, organisation, caller }) => {
      const { invitation, url } = await inviteMember(deps, { organisationId: organisation.id, email, role, caller });
      return { ...presentInvitation(invitation), url };
    },
    'organisations.invitations': async ({ organisation }) =>
      (await listOpenInvitations(db, organisation.id, deps.clock.now())).map(presentInvitation),
    'organisations.invitations.revoke': async ({ body: { invitationId }, organisation, caller }) => {
      await withdrawInvitation(deps, { organisationId: organisation.id, invitationId, caller });
      return { message: 'The invitation is withdrawn.' };
    },
    'organisations.invitations.accept': async ({ body, caller }) =>
      presentOrganisation(await joinOrganisation(deps, { token: body.invitationToken, userId: caller.userId })),
    'organisations.invitations.lookup': async ({ body }) => {
      const found = await describeOpenInvitation(db, sha256(body.invitationToken), deps.clock.now());
      if (!found) throw unusableInvitation();
      return found;
    },
  };
}
