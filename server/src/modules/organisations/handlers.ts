import { clampRange } from '../../db/page.ts';
import type { HandlersFor } from '../../http/handler.ts';
import { listActivityOfOrganisation } from '../activity/activity-store.ts';
import { presentForOrganisation } from '../activity/present.ts';
import { invitationHandlers } from './invitation-handlers.ts';
import { changeOrganisation } from './change-organisation.ts';
import { changeRole } from './change-role.ts';
import { createOrganisation } from './create-organisation.ts';
import { deleteOrganisation } from './delete-organisation.ts';
import { listMembers } from './membership-store.ts';
import { findOrganisation } from './organisation-store.ts';
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
    'organisations.update': async ({ body: { name }, organisation: { id: organisationId }, caller }) =>
      present(await changeOrganisation(db, { organisationId, change: { name: name.trim() }, caller })),
    'organisations.plan': async ({ body: { plan }, organisation: { id: organisationId }, caller }) =>
      present(await changeOrganisation(db, { organisationId, change: { plan }, caller })),
    'organisations.delete': async ({ organisation }) => {
      await deleteOrganisation(db, organisation.id);
      return { message: 'The organisation is deleted.' };
    },
    'organisations.activity': async ({ body, organisation }) =>
      (await listActivityOfOrganisation(db, organisation.id, clampRange(body))).map(presentForOrganisation),
    'organisations.members': async ({ organisation }) => (await listMembers(db, organisation.id)).map(presentMember),
    'organisations.members.update': async ({ body: { userId, role }, organisation, caller }) =>
      presentMember(await changeRole(db, { organisationId: organisation.id, userId, role, caller })),
    'organisations.members.remove': async ({ body: { userId }, organisation: { id, role }, caller }) => {
      await removeMember(db, { organisationId: id, userId, caller, role });
      return { message: 'The member is removed.' };
    },
  };
}

/** The organisation may have been deleted since admission. */
function present(row: OrganisationRow | null) {
  if (!row) throw notFound('Organisation');
  return presentOrganisation(row);
}
