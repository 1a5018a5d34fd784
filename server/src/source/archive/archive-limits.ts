export interface ArchiveLimits {
  /** Also of the folders that only names tell of. */
  entries: number;
  unpackedBytes: number;
  /** How many times larger than itself the whole may unpack … */
  ratio: number;
  /** … unless it is not large even so. */
  ratioFreeBytes: number;
}

/** A source of ordinary text shrinks to a fifth, a generated one to a twentieth. */
export const archiveLimits: ArchiveLimits = {
  entries: 100_000,
  unpackedBytes: 1024 ** 3,
  ratio: 200,
  ratioFreeBytes: 32 * 1024 ** 2,
};
