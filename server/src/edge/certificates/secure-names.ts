import type { SecureContext } from 'node:tls';

/** What https needs to know of names. Names are as they came; case does not matter. */
export interface SecureNames {
  /**
   * For a handshake; undefined: the client named nobody, or an address. Null: it is refused. What sessions are sealed
   * with comes along: the same at every edge, for a day.
   */
  contextFor(servername: string | undefined): SecureContext | null;
  /**
   * Whether a request for this host came by a connection whose certificate is not for it: its sender is to come again
   * by one that is (RFC 9110, 7.4). Not for hosts that nobody serves, nor where the client named nobody, or an address.
   */
  isMisdirected(servername: string | undefined, host: string): boolean;
  /** Browsers believe the certificate that is shown for it, so who comes by http can be sent to https. */
  isPublic(hostname: string): boolean;
  /** What the authority says of the certificate that `contextFor` shows, to be shown along (OCSP); null: nothing. */
  stapleFor(servername: string | undefined): Buffer | null;
}

/** The `sessionIdContext` of whoever listens: with another, no session would ever be found again. */
export const SESSION_CONTEXT = 'lilac';
