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

/** The largest promise that a file of that size keeps. */
export function storageWithin(bytes: number): number {
  let storageGb = Math.max(0, Math.ceil((bytes - SLACK_BYTES) / (GIB * (1 + SLACK_SHARE))));
  while (storageGb > 0 && imageBytes(storageGb) > bytes) storageGb -= 1;
  return storageGb;
}

/** Blocks that XFS keeps from everybody, whatever its size, so that it can delete when it is full. */
const HELD_BACK_BYTES = 32 * MIB;

/** What a volume takes for itself when it has grown: the rest of that is in proportion. */
export function emptyBytesGrown(volume: { bytes: number; emptyBytes: number }, bytes: number): number {
  const proportional = Math.max(0, volume.emptyBytes - HELD_BACK_BYTES);
  return Math.round(volume.emptyBytes + proportional * (bytes / volume.bytes - 1));
}
