/**
 * Held shared by backups and restores, for as long as they take: nothing that a row names is deleted meanwhile, and no
 * migration begins. Collectors never wait for it.
 */
export const COLLECTION_HOLD = 0x686f6c64;
