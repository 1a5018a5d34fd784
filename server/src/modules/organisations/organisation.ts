import type { KeyRole, Role } from '@lilac/contract/permissions';

/** Who acts, and what they are in the organisation. */
export interface Actor {
  userId: string;
  role: Role | KeyRole;
}

/** Everybody may leave; sending others away is owners' business. */
export function canRemoveMember(actor: Actor, userId: string): boolean {
  return actor.userId === userId || actor.role === 'owner';
}

const MAX_SLUG_LENGTH = 40;

/** `Café du Nord` → `cafe-du-nord`. What leaves nothing behind (a name in another script) becomes `organisation`. */
export function slugOf(name: string): string {
  const slug = name
    .normalize('NFKD')
    .replace(/\p{Mark}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+/, '')
    .slice(0, MAX_SLUG_LENGTH)
    .replace(/-+$/, '');
  return slug || 'organisation';
}
