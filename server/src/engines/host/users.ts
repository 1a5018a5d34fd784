import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** Where the platform is root, each database has a user that nobody else has: no entry anywhere, only a number. */
export interface UidRange {
  first: number;
  count: number;
}

/** Nobody hands these out, neither distributions nor systemd nor those who make containers. */
const WIDE: UidRange = { first: 1_879_048_192, count: 268_435_455 };
/** The only ones of the usual 65,536 that neither Debian nor systemd use. */
const NARROW: UidRange = { first: 60_578, count: 606 };

/** `uidMap` is the text of /proc/self/uid_map: which numbers there are here. */
export function chooseRange(uidMap: string): UidRange {
  const spans = uidMap.split('\n').map((line) => line.trim().split(/\s+/).map(Number));
  const last = WIDE.first + WIDE.count;
  return spans.some(([inner = 0, , count = 0]) => inner <= WIDE.first && inner + count > last) ? WIDE : NARROW;
}

export const readRange = (): UidRange => chooseRange(readFileSync('/proc/self/uid_map', 'utf8'));

export interface UidOwner {
  databaseId: string;
  uid: number | null;
}

/**
 * The user of a database: the one its other server has, else one that is free. Where it begins to look depends on the
 * installation, so that two on one machine hardly ever meet.
 */
export function uidFor(
  databaseId: string,
  { installation, owners, range }: { installation: string; owners: readonly UidOwner[]; range: UidRange },
): number {
  const own = owners.find((owner) => owner.databaseId === databaseId)?.uid;
  if (own !== undefined && own !== null) return own;
  const taken = new Set(owners.map(({ uid }) => uid));
  const start = createHash('sha256').update(`${installation} ${databaseId}`).digest().readUInt32BE(0);
  for (let step = 0; step < range.count; step++) {
    const uid = range.first + ((start + step) % range.count);
    if (!taken.has(uid)) return uid;
  }
  throw new Error(`This machine has users for ${range.count} databases, and all are taken.`);
}
