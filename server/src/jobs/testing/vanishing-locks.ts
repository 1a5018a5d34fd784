/** Held by a transaction whose statement takes for ever. */
export const BUSY_LOCK = 1;
/** Held by a transaction that waits for the next one, and so gets an answer when its machine is gone already. */
export const LATE_LOCK = 2;
export const STARTING_LOCK = 3;
