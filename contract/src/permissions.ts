const permissions = [
  'read:projects',
  'create:projects',
  'update:projects',
  'delete:projects',
  'read:organisations',
  'update:organisations',
] as const;
export type Permission = (typeof permissions)[number];

export const roles = ['user', 'admin', 'owner'] as const;
export type Role = (typeof roles)[number];

/** A key is never an owner. */
export const keyRoles = ['user', 'admin'] as const;
export type KeyRole = (typeof keyRoles)[number];

const everyPermission: readonly Permission[] = permissions;

const granted: Record<Role, readonly Permission[]> = {
  user: ['read:projects', 'read:organisations'],
  admin: everyPermission,
  owner: everyPermission,
};

/** What a person with this role may do. */
export function roleHas(role: Role, permission: Permission): boolean {
  return granted[role].includes(permission);
}

/** What a key with this role may do: never anything about the organisation itself. */
export function keyRoleHas(role: KeyRole, permission: Permission): boolean {
  return !permission.endsWith(':organisations') && roleHas(role, permission);
}
