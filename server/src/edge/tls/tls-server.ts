import type { Socket } from 'node:net';
import { createSecureContext, createServer, type SecureContext, type Server, type TLSSocket } from 'node:tls';
import type { SecureNames } from '../certificates/secure-names.ts';
import { SECURITY } from './security.ts';

export interface TlsServerOptions {
  names: SecureNames;
  /** Takes a connection on which HTTP/1.1 is spoken. */
  onHttp1: (socket: TLSSocket) => void;
  onHttp2: (socket: TLSSocket) => void;
}

export interface TlsServer {
  server: Server;
  /** Ends every connection at once, also those whose handshake is under way. */
  closeAll: () => void;
}

/** What Node begins every handshake with, beyond what it documents: it is the only one for clients that name nobody. */
interface Internals {
  _sharedCreds: SecureContext;
}

/** A client that has not finished its handshake by then is not one. */
const HANDSHAKE_LIMIT_MS = 10_000;

/** Takes https connections: finds the certificate by the name that is asked for, and who speaks what. */
export function createTlsServer({ names, onHttp1, onHttp2 }: TlsServerOptions): TlsServer {
  const connections = new Set<Socket>();
  /** For a moment: the name whose context was given. */
  let named: string | undefined;
  const server = createServer({
    ...SECURITY,
    SNICallback: (servername, done) => chooseContext(servername, done),
    ALPNProtocols: ['h2', 'http/1.1'],
    handshakeTimeout: HANDSHAKE_LIMIT_MS,
    // Who has asked may say no more, and still wants the answer.
    allowHalfOpen: true,
    noDelay: true,
  });
  // Nobody is shown anything by it: with no certificate there is no handshake.
  const empty = createSecureContext(SECURITY);

  function chooseContext(servername: string, done: (error: Error | null, context?: SecureContext) => void): void {
    const context = names.contextFor(servername);
    if (context === null) return done(new Error('This name is not served here'));
    named = servername;
    done(null, context);
    named = undefined;
  }

  const beginWith = (context: SecureContext | null): void => {
    (server as unknown as Internals)._sharedCreds = context ?? empty;
  };

  /** Whoever comes may be one who will name nobody. */
  function beginWithOwn(): void {
    try {
      beginWith(names.contextFor(undefined));
    } catch {
      // Others are not to suffer from it: here, unlike below, nobody would catch it.
      beginWith(null);
    }
  }

  server.prependListener('connection', (socket: Socket) => {
    beginWithOwn();
    connections.add(socket);
    socket.once('close', () => connections.delete(socket));
  });
  server.on('secureConnection', (socket) => {
    // Nothing is gained by it, and it costs us more than the client.
    socket.disableRenegotiation();
    if (socket.alpnProtocol === 'h2') onHttp2(socket);
    else onHttp1(socket);
  });
  // Scanners, clients that do not trust us, names that are not here: nothing to be told to anybody.
  server.on('tlsClientError', (_error, socket) => socket.destroy());
  // Node asks for it in the same turn in which it got the context, so that the name is still known.
  server.on('OCSPRequest', (_certificate, _issuer, done) => done(null, names.stapleFor(named)));
  return {
    server,
    closeAll: () => {
      for (const socket of connections) socket.destroy();
    },
  };
}
