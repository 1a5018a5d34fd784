import { name } from '@lilac/contract/common-shapes';
import type { Plan } from '@lilac/contract/plans';
import type { Tx } from '../../db/pool.ts';
import { conflict, invalid } from '../../lib/fault.ts';
import { newId } from '../../lib/ids.ts';
import type { HouseActor } from '../activity/activity.ts';
import { createOrganisation } from '../organisations/create-organisation.ts';
import { checkNewAccount } from './account.ts';
import type { StoreDeps } from './accounts-deps.ts';
import { hashPassword } from './password.ts';
import { insertUser } from './user-store.ts';

export interface OwnerToCreate {
  email: string;
  password: string;
  /** The part of the address before the @ when left out. */
  firstName?: string;
  organisationName: string;
  plan?: Plan;
  /** Who does it; the new owner where nobody is named. */
  caller?: HouseActor;
}

export interface CreatedOwner {
  userId: string;
  organisationId: string;
}

/** An account and an organisation that it owns, both or neither. */
export async function createOwner(
  { store, clock }: StoreDeps,
  owner: OwnerToCreate,
  /** What else must hold in the same transaction; it throws to stop everything. */
  admit: (tx: Tx) => Promise<void> = () => Promise.resolve(),
): Promise<CreatedOwner> {
  const account = checkNewAccount(owner);
  if (!name.safeParse(owner.organisationName).success) {
    throw invalid("The organisation's name must have 1 to 100 characters.");
  }
  const passwordHash = await hashPassword(account.password);
  return await store.db.transaction().execute(async (tx) => {
    await admit(tx);
    const userId = newId('usr');
    if (!(await insertUser(tx, { id: userId, ...account, passwordHash, now: clock.now() }))) {
      throw conflict('An account with this e-mail address exists already.');
    }
    const plan = owner.plan ?? 'free';
    const { organisationName, caller } = owner;
    const organisation = await createOrganisation(tx, { name: organisationName, plan, ownerId: userId, caller });
    return { userId, organisationId: organisation.id };
  });
}
