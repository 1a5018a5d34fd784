import { createSecureContext, type SecureContext } from 'node:tls';
import { SECURITY } from '../tls/security.ts';

export interface ContextParts {
  /** PEM. */
  chain: string;
  /** PEM. */
  privateKey: string;
  ticketKeys: Buffer;
}

/**
 * A handshake begins by the listener's own context and goes on with this one: sessions are found again only where
 * both have the same session context and the same ticket keys.
 */
export function secureContextOf({ chain, privateKey, ticketKeys }: ContextParts): SecureContext {
  // No client shows a certificate here, so there is no need to know whom to trust.
  return createSecureContext({
    cert: chain,
    key: privateKey,
    ca: [],
    ticketKeys,
    ...SECURITY,
  });
}
