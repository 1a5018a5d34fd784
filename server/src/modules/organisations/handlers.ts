import type { HandlersFor } from '../../http/handler.ts';
import { invitationHandlers } from './invitation-handlers.ts';
import { changeRole } from './change-role.ts';
import { createOrganisation } from './create-organisation.ts';
import { deleteOrganisation } from './delete-organisation.ts';
import { listMembers } from './membership-store.ts';
import { findOrganisation, updateOrganisation } from './organisation-store.ts';
import type { OrganisationsDeps } from './organisations-deps.ts';
import { presentMember, presentOrganisation } from './present.ts';
import { removeMember } from './remove-member.ts';
import { notFound } from '../../lib/fault.ts';
import type { OrganisationRow } from '../../db/schema.ts';

export function organisationHandlers(deps: OrganisationsDeps): HandlersFor<'organisations'> {
  const { db } = deps.store;
  return {
    ...invitationHandlers(deps),
    'organisations.create': async ({ body, caller }) => {
      const create = { name: body.name, plan: 'free', ownerId: caller.userId } as const;
      return presentOrganisation(await db.transaction().execute((tx) => createOrganisation(tx, create)));
    },
    'organisations.get': async ({ organisation }) => present(await findOrganisation(db, organisation.id)),
    'organisations.update': async ({ body, organisation }) =>
      present(await updateOrganisation(db, organisation.id, { name: body.name.trim() })),
    'organisations.plan': async ({ body, organisation }) =>
      present(await updateOrganisation(db, organisation.id, { plan: body.plan })),
    'organisations.delete': async ({ organisation }) => {
      await deleteOrganisation(db, organisation.id);
      return { message: 'The organisation is deleted.' };
    },
    'organisations.members': async ({ organisation }) => (await listMembers(db, organisation.id)).map(presentMember),
    'organisations.members.update': async ({ body, organisation }) =>
      presentMember(await changeRole(db, { organisationId: organisation.id, userId: body.userId, role: body.role })),
    'organisations.members.remove': async ({ body, organisation, caller }) => {
      const actor = { userId: caller.userId, role: organisation.role };
      await removeMember(db, { organisationId: organisation.id, userId: body.userId }, actor);
      return { message: 'The member is removed.' };
    },
  };
}

/** It may have been deleted since admission. */
function present(row: OrganisationRow | null) {
  if (!row) throw notFound('Organisation');
  return presentOrganisation(row);
}
