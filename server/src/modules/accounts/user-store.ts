import { sql } from 'kysely';
import type { Role } from '@lilac/contract/permissions';
import type { Plan } from '@lilac/contract/plans';
import type { Db } from '../../db/pool.ts';
import type { UserRow } from '../../db/schema.ts';

export interface NewUser {
  id: string;
  email: string;
  firstName: string;
  passwordHash: string;
  now: Date;
}

/** False when another account has the address, in whatever case. */
export async function insertUser(db: Db, user: NewUser): Promise<boolean> {
  const inserted = await db
    .insertInto('users')
    .values({
      id: user.id,
      email: user.email,
      first_name: user.firstName,
      password_hash: user.passwordHash,
      created_at: user.now,
      updated_at: user.now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  return inserted !== undefined;
}

export function findUser(db: Db, userId: string): Promise<UserRow | undefined> {
  return db.selectFrom('users').selectAll().where('id', '=', userId).executeTakeFirst();
}

export function findUserByEmail(db: Db, email: string): Promise<UserRow | undefined> {
  return db
    .selectFrom('users')
    .selectAll()
    .where(sql`lower(email)`, '=', sql`lower(${email})`)
    .executeTakeFirst();
}

export async function hasUsers(db: Db): Promise<boolean> {
  return (await db.selectFrom('users').select('id').limit(1).executeTakeFirst()) !== undefined;
}

export interface OrganisationOfUser {
  id: string;
  name: string;
  slug: string;
  plan: Plan;
  role: Role;
}

export function organisationsOfUser(db: Db, userId: string): Promise<OrganisationOfUser[]> {
  return db
    .selectFrom('memberships')
    .innerJoin('organisations', 'organisations.id', 'memberships.organisation_id')
    .select(['organisations.id', 'organisations.name', 'organisations.slug', 'organisations.plan', 'memberships.role'])
    .where('memberships.user_id', '=', userId)
    .orderBy('memberships.created_at')
    .orderBy('organisations.id')
    .execute();
}

export async function updateFirstName(db: Db, userId: string, firstName: string): Promise<void> {
  await db
    .updateTable('users')
    .set({ first_name: firstName, updated_at: sql`now()` })
    .where('id', '=', userId)
    .execute();
}

/** Only over the hash it was checked against: a change that came between wins. */
export async function replacePasswordHash(
  db: Db,
  { userId, from, to }: { userId: string; from: string; to: string },
): Promise<boolean> {
  const replaced = await db
    .updateTable('users')
    .set({ password_hash: to, updated_at: sql`now()` })
    .where('id', '=', userId)
    .where('password_hash', '=', from)
    .returning('id')
    .executeTakeFirst();
  return replaced !== undefined;
}
