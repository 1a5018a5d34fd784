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
 * A handshake begins by the platform's own and goes on with that of the name: what the first allows holds, and what it
 * seals sessions with. So all have the same.
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
