import { constants, type ServerHttp2Session } from 'node:http2';

/** As nghttp2 counts its errors (`NGHTTP2_ERR_PROTO`). */
const BREACH = -505;
/** A stream that was ended for it is closed long before. */
const VERDICT_MS = 1000;

/**
 * Node ends a session for every breach of the protocol, also where nghttp2 has ended just the stream that it was in,
 * such as one with a longer body than it had said (RFC 9113, 8.1.1): others may be in the same session. So it lasts
 * until it is known which it was. What is returned is to be called with the code of every stream that closes.
 */
export function spareOthers(session: ServerHttp2Session): (rstCode: number | undefined) => void {
  const destroy = session.destroy.bind(session);
  let verdict: NodeJS.Timeout | undefined;
  session.destroy = (error, code) => {
    if (!isBreach(error)) return destroy(error, code);
    // Where it was the session's, nghttp2 has said so to the client, and hears nothing more.
    verdict ??= setTimeout(() => destroy(error, code), VERDICT_MS).unref();
  };
  return (rstCode) => {
    if (rstCode !== constants.NGHTTP2_PROTOCOL_ERROR) return;
    clearTimeout(verdict);
    verdict = undefined;
  };
}

function isBreach(error: unknown): boolean {
  return error instanceof Error && 'errno' in error && error.errno === BREACH;
}
