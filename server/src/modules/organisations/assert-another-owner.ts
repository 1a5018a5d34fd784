import type { Tx } from '../../db/pool.ts';
import { conflict } from '../../lib/fault.ts';
import { hasOtherOwner, type Membership } from './membership-store.ts';

/**
 * An organisation always has somebody who can manage it. Holds under concurrent changes because every
 * change of members takes `lockOrganisation` first.
 */
export async function assertAnotherOwner(tx: Tx, membership: Membership): Promise<void> {
  if (await hasOtherOwner(tx, membership)) return;
  throw conflict('This is the only owner of the organisation. Make another member an owner first.');
}
