/** Characters of one cell that are answered; the rest of it is left out, with a mark. */
export const LONGEST_CELL = 65_536;

/** Characters of all cells of one answer; rows beyond are left out. */
export const LARGEST_ANSWER = 4_000_000;

/** Bytes that a server may say within one call: a single cell may be a gigabyte, and has to be received whole. */
export const MOST_BYTES = 32 * 1024 * 1024;

/** How long a call may take that is not a statement of the caller's own. */
export const CALL_MS = 30_000;

/** How long counting all rows may take; after that an estimate has to do. */
export const COUNT_MS = 5000;

/** How long a change waits for others that hold a lock: whoever comes after it waits for it too. */
export const LOCK_MS = 5000;

/** What a statement gets beyond its time to be ended by the server itself. */
export const GRACE_MS = 2000;
