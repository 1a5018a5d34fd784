import { once } from 'node:events';
import { connect, createServer, type Server, type TLSSocket } from 'node:tls';

/**
 * TLS between processes of one platform. Both ends prove that they have the platform's secret: this cipher knows no
 * certificates, so that there is none to be forged, stolen, or renewed. A new key is agreed on for every connection,
 * so that what was recorded stays closed to whoever learns the secret later.
 */
const TERMS = {
  minVersion: 'TLSv1.2',
  maxVersion: 'TLSv1.2',
  ciphers: 'ECDHE-PSK-CHACHA20-POLY1305',
  ecdhCurve: 'X25519',
} as const;
const IDENTITY = 'lilac';
const HANDSHAKE_MS = 5000;

export interface PeerServerOptions {
  secret: Buffer;
  /** Who takes the connections, by what they are for. */
  takers: Readonly<Record<string, (socket: TLSSocket) => void>>;
  /** Who has not shown the secret by then is sent away. */
  handshakeMs?: number;
}

/** Takes connections of those who have the secret; others see the door only. */
export function createPeerServer({ secret, takers, handshakeMs = HANDSHAKE_MS }: PeerServerOptions): Server {
  const server = createServer({
    ...TERMS,
    pskCallback: (_socket, identity) => (identity === IDENTITY ? secret : null),
    ALPNProtocols: Object.keys(takers),
    handshakeTimeout: handshakeMs,
  });
  server.on('secureConnection', (socket) => {
    const take = takers[String(socket.alpnProtocol)];
    if (take) take(socket);
    else socket.destroy();
  });
  // Whoever knocks is nobody's business.
  server.on('tlsClientError', (_error, socket) => socket.destroy());
  return server;
}

export interface PeerConnection {
  host: string;
  port: number;
  secret: Buffer;
  /** One of those that the other end takes. */
  purpose: string;
  timeoutMs: number;
}

/** Resolves when the other end has proven itself. Nothing was sent to one that has not. */
export async function connectToPeer({ host, port, secret, purpose, timeoutMs }: PeerConnection): Promise<TLSSocket> {
  const socket = connect({
    ...TERMS,
    host,
    port,
    pskCallback: () => ({ psk: secret, identity: IDENTITY }),
    // There is no certificate that could name anybody.
    checkServerIdentity: () => undefined,
    ALPNProtocols: [purpose],
  });
  socket.setNoDelay(true);
  // Nobody must take it for a connection that is good for one more request until it has closed in order.
  socket.once('end', () => socket.destroy());
  try {
    await once(socket, 'secureConnect', { signal: AbortSignal.timeout(timeoutMs) });
    if (socket.alpnProtocol !== purpose) throw new Error(`The other end does not take "${purpose}".`);
    return socket;
  } catch (error) {
    // Whatever it says from here on is said to nobody.
    socket.on('error', () => {});
    socket.destroy();
    throw error;
  }
}
