import { STORE_PATIENCE_MS } from './pool.ts';

/**
 * Within this time after the store was away, every process that lives has reported again. Until then who fell silent
 * may have been silent for want of the store alone: it may just have begun to connect to the one that had vanished, and
 * tries again, reads what it missed, and reports.
 */
export const RETURN_MS = STORE_PATIENCE_MS + 2500;
