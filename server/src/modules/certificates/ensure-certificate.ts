import type { Tx } from '../../db/pool.ts';
import { newId } from '../../lib/ids.ts';
import { insertCertificate } from './certificate-store.ts';
import { enqueueOrder } from './job-kinds.ts';

export interface WantedCertificate {
  hostname: string;
  /** Null: a host of the platform's own. */
  domainId: string | null;
}

/** From here on there is one, or it is being got. Nothing happens where that is so already. */
export async function ensureCertificate(tx: Tx, { hostname, domainId }: WantedCertificate): Promise<void> {
  const id = newId('crt');
  if (await insertCertificate(tx, { id, hostname, domainId })) await enqueueOrder(tx, id);
}
