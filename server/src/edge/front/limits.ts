/** How long a connection stays open for another request. */
export const KEEP_ALIVE_SECONDS = 65;
/** From a head's first byte to its last. */
export const HEAD_LIMIT_MS = 15_000;
/** A client that takes nothing of its answer for this long is gone. */
export const SILENCE_LIMIT_MS = 120_000;
/** How long a connection that we have ended waits for the client to end it too. */
export const LINGER_MS = 2000;
/** The same for one that still sends. */
export const LONGEST_LINGER_MS = 30_000;
/** Requests that were sent ahead wait here, and beyond this in the kernel. */
export const MAX_WAITING_BYTES = 65_536;
