/** An instance that does not even take a connection within this time is not there. */
export const CONNECT_LIMIT_MS = 3000;
/** From the end of the request to the first byte of its answer. */
export const FIRST_BYTE_LIMIT_MS = 60_000;
/** A client that sends nothing of the body it has announced for this long is gone. */
export const BODY_SILENCE_LIMIT_MS = 60_000;
/**
 * Most clients that have ended their half are gone: those that are not get a moment for the answer to begin.
 * A limit may be found out up to a second too early, so that this is one second at least.
 */
export const HALF_CLOSED_LIMIT_MS = 2000;
/** A body that takes longer than this must have come, on average, at this rate while it was waited for. */
export const BODY_GRACE_MS = 60_000;
export const MIN_BODY_BYTES_PER_SECOND = 500;
/** Chunk extensions and trailers of one body, which nobody needs. */
export const MAX_DROPPED_BYTES = 16_384;
/** One that was idle for longer may be closed by now, unread, or its machine gone: that is found out first. */
export const DOUBTFUL_AFTER_MS = 50;
/** An answer that goes on may be quiet for long: event streams are. */
export const STREAM_SILENCE_LIMIT_MS = 2 * 3_600_000;
/** Who speaks WebSocket pings more often than that; whoever does not is most likely gone. */
export const TUNNEL_SILENCE_LIMIT_MS = 3_600_000;
/** What is left of a body that nobody needs is read for this long, so that the client gets to the answer. */
export const BODY_REST_LIMIT_MS = 30_000;
/** How often the kernel asks whether a quiet peer is still there. */
export const WATCH_EVERY_MS = 60_000;
/**
 * How long an idle connection is kept where the instance does not say. Some servers close after two seconds, and
 * what is written as they do is lost: it may have been read, so that it is not sent again.
 */
export const IDLE_LIMIT_MS = 1000;
export const LONGEST_IDLE_MS = 30_000;
/** Idle connections to one instance. */
export const MAX_IDLE = 128;
/** More than one says "processing"; an endless row of them is no answer. */
export const MAX_INFORMATION = 16;
