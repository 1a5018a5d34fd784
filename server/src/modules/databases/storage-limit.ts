import { invalid } from '../../lib/fault.ts';

/** `largestGb` is the most that this machine can ever give to one database. */
export function assertStorage(storageGb: number, largestGb: number): void {
  if (storageGb <= largestGb) return;
  throw invalid(
    `This machine can give at most ${largestGb} GB of storage, and storageGb ${storageGb} is more than that. Choose less.`,
  );
}

/** So much of its storage may be used before writes are refused. */
const USABLE = 0.95;
const GIB = 2 ** 30;

/** The least storage that takes what was in a database when it was backed up. */
export const leastStorageGb = (usedBytes: number): number => Math.max(1, Math.ceil(usedBytes / USABLE / GIB));

/** What has no room is refused before it is begun: it would be noticed after hours, and half of it would be there. */
export function assertRoom(storageGb: number, leastGb: number): void {
  if (storageGb >= leastGb) return;
  throw invalid(
    `What is in this backup needs at least ${leastGb} GB of storage, and storageGb ${storageGb} is less. Say storageGb: ${leastGb} or more.`,
  );
}
