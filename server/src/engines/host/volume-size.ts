const MIB = 1024 ** 2;
const GIB = 1024 ** 3;

export const promisedBytes = (storageGb: number): number => storageGb * GIB;

/** Given up when a server cannot even recover for want of room. */
export const RESERVE_BYTES = 64 * MIB;

/** What lies behind the promise: the reserve, what the file system takes for itself, and room to stop in. */
const SLACK_BYTES = 512 * MIB;
const SLACK_SHARE = 0.1;

/** How large the file of a volume is; whole MiB, which suits every block size. */
export function imageBytes(storageGb: number): number {
  return Math.ceil((promisedBytes(storageGb) * (1 + SLACK_SHARE) + SLACK_BYTES) / MIB) * MIB;
}
