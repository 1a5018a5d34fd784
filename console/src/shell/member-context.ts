import type { Permission } from '@lilac/contract/permissions';
import { roleHas } from '@lilac/contract/permissions';
import { createContext, useContext } from 'react';
import type { OrganisationChoice, Profile } from '../lib/api-types.ts';

export interface Member {
  profile: Profile;
  organisation: OrganisationChoice;
  /** After a change of the name, the plan or the memberships. */
  reloadProfile: () => void;
  /**
   * After a new organisation was made: resolves once the profile has it. Who is led into it before is shown another.
   */
  whenMemberOf: (organisationId: string) => Promise<void>;
}

export const MemberContext = createContext<Member | null>(null);

/** Who is signed in, and the organisation they work in. */
export function useMember(): Member {
  const member = useContext(MemberContext);
  if (!member) throw new Error('useMember is for pages inside the shell.');
  return member;
}

/** The same rule that the API refuses with. */
export function usePermission(permission: Permission): boolean {
  return roleHas(useMember().organisation.role, permission);
}

export function useIsOwner(): boolean {
  return useMember().organisation.role === 'owner';
}
