import { createHmac } from 'node:crypto';
import { baseOf } from './hostname.ts';

export interface OwnershipText {
  name: string;
  value: string;
}

/**
 * The TXT record by which whoever keeps the DNS of a name says that it is this organisation's. Nobody else can work
 * out the value, and it can be told before anything is stored. One serves for a name and for all names below it.
 */
export function ownershipText(
  key: Buffer,
  { organisationId, hostname }: { organisationId: string; hostname: string },
): OwnershipText {
  const base = baseOf(hostname);
  const token = createHmac('sha256', key).update(`${organisationId}\n${base}`).digest('hex').slice(0, 40);
  return { name: `_lilac-verify.${base}`, value: `lilac-verify=${token}` };
}
