import { invalid } from '../../lib/fault.ts';

/** `largestGb` is the most that this machine can ever give to one database. */
export function assertStorage(storageGb: number, largestGb: number): void {
  if (storageGb <= largestGb) return;
  throw invalid(
    `This machine can give at most ${largestGb} GB of storage, and storageGb ${storageGb} is more than that. Choose less.`,
  );
}
