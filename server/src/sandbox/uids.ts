import { createHash } from 'node:crypto';

/**
 * Where the platform is root, what belongs to an organisation runs as a uid of its own. Debian keeps
 * these uids for nobody, and they exist in containers with the usual 65,536 ids too. Two organisations
 * may share one: the namespaces keep them apart, the uid is the second lock. It is derived, not
 * allotted, so that kept files stay their owner's from one build to the next.
 */
export const FIRST_UID = 30_000;
export const UID_COUNT = 30_000;

export function uidOf(organisationId: string): number {
  const digest = createHash('sha256').update(organisationId).digest();
  return FIRST_UID + (digest.readUInt32BE(0) % UID_COUNT);
}
