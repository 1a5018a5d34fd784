import type { EndpointDeclaration } from './endpoint.ts';
import type { ErrorCode } from './errors.ts';
import { keyRoleHas, roleHas, roles, type KeyRole, type Role } from './permissions.ts';

/** Everybody who can ask, as far as rights go. */
export const callers = [
  'nobody',
  'user',
  'admin',
  'owner',
  'user key',
  'admin key',
  'owner elsewhere',
  'admin key elsewhere',
] as const;
export type Caller = (typeof callers)[number];

export const callerDescriptions: Record<Caller, string> = {
  nobody: 'without a credential',
  user: 'a signed-in member with the role user',
  admin: 'a signed-in member with the role admin',
  owner: 'a signed-in member with the role owner',
  'user key': 'an API key of the organisation with the role user',
  'admin key': 'an API key of the organisation with the role admin',
  'owner elsewhere': 'a signed-in owner of another organisation, who names this one and what is in it',
  'admin key elsewhere': 'an API key of another organisation with the role admin, likewise',
};

/** How a call is refused that is right in everything else; null where it is let in. */
export function refusalOf(declaration: EndpointDeclaration, caller: Caller): ErrorCode | null {
  if (declaration.credential === 'none') return null;
  if (caller === 'nobody') return 'CA001';
  const isKey = caller.includes('key');
  if (isKey && declaration.credential === 'session') return 'CA006';
  if (declaration.organisation === null) return null;
  if (caller.endsWith('elsewhere')) return isKey ? 'CA003' : 'CA004';
  const role = caller.split(' ')[0] as Role;
  return mayCall(declaration, { role, isKey }) ? null : 'CA005';
}

function mayCall(
  { permission, minimumRole = 'user' }: EndpointDeclaration,
  { role, isKey }: { role: Role; isKey: boolean },
): boolean {
  if (roles.indexOf(role) < roles.indexOf(minimumRole)) return false;
  if (permission === null) return true;
  return isKey ? keyRoleHas(role as KeyRole, permission) : roleHas(role, permission);
}
