import type { OutputOf } from '@lilac/contract/endpoint';
import type { Endpoints } from '@lilac/contract/endpoints';
import type { InvitationRow, OrganisationRow } from '../../db/schema.ts';
import type { MemberRow } from './membership-store.ts';

export function presentOrganisation(row: OrganisationRow): OutputOf<Endpoints['organisations.get']> {
  return {
    id: row.id,
    name: row.name,
    slug: row.slug,
    plan: row.plan,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

export function presentMember(row: MemberRow): OutputOf<Endpoints['organisations.members.update']> {
  return {
    user_id: row.user_id,
    email: row.email,
    first_name: row.first_name,
    role: row.role,
    joined_at: row.created_at.toISOString(),
  };
}

export function presentInvitation(row: InvitationRow): OutputOf<Endpoints['organisations.invitations']>[number] {
  return {
    id: row.id,
    email: row.email,
    role: row.role,
    invited_by: row.invited_by,
    expires_at: row.expires_at.toISOString(),
    created_at: row.created_at.toISOString(),
  };
}
