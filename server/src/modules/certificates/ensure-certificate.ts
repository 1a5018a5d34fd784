import { announceCertificate } from '../../certificates/served-certificate-store.ts';
import type { Tx } from '../../db/pool.ts';
import { newId } from '../../lib/ids.ts';
import { insertCertificate } from './certificate-store.ts';
import { enqueueOrder } from './job-kinds.ts';
import { dropKept, takeBackKept } from './kept-certificate-store.ts';

export interface WantedCertificate {
  hostname: string;
  /** Null: a host of the platform's own. */
  domainId: string | null;
}

/**
 * From here on there is one, or it is being got. Nothing happens where that is so already. The one that the same
 * organisation had for the name before is used again: authorities count what they issue.
 */
export async function ensureCertificate(tx: Tx, wanted: WantedCertificate): Promise<void> {
  if (await begin(tx, wanted)) return;
  const kept = await takeBackKept(tx, wanted);
  if (kept !== null) await announceCertificate(tx, kept);
  else if (await dropKept(tx, wanted.hostname)) await begin(tx, wanted);
}

async function begin(tx: Tx, { hostname, domainId }: WantedCertificate): Promise<boolean> {
  const id = newId('crt');
  const isNew = await insertCertificate(tx, { id, hostname, domainId });
  if (isNew) await enqueueOrder(tx, id);
  return isNew;
}
