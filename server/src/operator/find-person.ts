import type { Db } from '../db/pool.ts';
import type { UserRow } from '../db/schema.ts';
import { findUserByEmail } from '../modules/accounts/user-store.ts';
import { OperatorError } from './operator-error.ts';

/** Whom a command is about. */
export async function findPerson(db: Db, email: string): Promise<UserRow> {
  const user = await findUserByEmail(db, email);
  if (user) return user;
  throw new OperatorError(`Nobody has the address ${email}.`, 'Create the account: lilac admin owner create --email …');
}
