import type { Socket } from 'node:net';
import { createServer, type SecureContext, type Server, type TLSSocket } from 'node:tls';
import type { SecureNames } from '../certificates/secure-names.ts';
import { hasAddress } from '../has-address.ts';
import { awaitHello } from './await-hello.ts';
import { SECURITY } from './security.ts';
import { servernameOf } from './servername-of.ts';

export interface TlsServerOptions {
  names: SecureNames;
  /** Somebody comes; what is returned is called when it is through its handshake, or gone. */
  onGuest: (socket: Socket) => () => void;
  /** Takes a connection on which HTTP/1.1 is spoken. */
  onHttp1: (socket: TLSSocket) => void;
  onHttp2: (socket: TLSSocket) => void;
}

export interface TlsServer {
  server: Server;
  /** Ends every connection at once, also those whose handshake is under way. */
  closeAll: () => void;
}

/** What Node begins every handshake with, beyond what it documents: who resumes a session is asked nothing further. */
interface Internals {
  _sharedCreds: SecureContext;
}

/** A client that has not finished its handshake by then is not one. */
export const HANDSHAKE_LIMIT_MS = 10_000;
/** The fatal alert `unrecognized_name` (RFC 6066, 3), as it is before anything is secret. */
const UNKNOWN_NAME = Buffer.from([21, 3, 3, 0, 2, 2, 112]);

/** Takes https connections: finds the certificate by the name that is asked for, and who speaks what. */
export function createTlsServer({ names, onGuest, onHttp1, onHttp2 }: TlsServerOptions): TlsServer {
  const connections = new Set<Socket>();
  /** By the client's end: Node does not say by which connection it is that a handshake came through. */
  const guests = new Map<string, () => void>();
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
  const shake = server.listeners('connection') as ((socket: Socket) => void)[];
  server.removeAllListeners('connection');

  function chooseContext(servername: string, done: (error: Error | null, context?: SecureContext) => void): void {
    const context = names.contextFor(servername);
    if (context === null) return done(new Error('This name is not served here'));
    named = servername;
    done(null, context);
    named = undefined;
  }

  /** Null also when it fails: others are not to suffer from it. */
  function contextFor(servername: string | undefined): SecureContext | null {
    try {
      return names.contextFor(servername);
    } catch {
      return null;
    }
  }

  /**
   * Node asks for a context only where a certificate is to be shown. Who resumes a session is shown none, so that the
   * name is looked at before: one that was taken away is refused whatever the client remembers of it.
   */
  function begin(socket: Socket, servername: string | undefined): void {
    const context = contextFor(servername);
    if (context === null) return refuse(socket);
    (server as unknown as Internals)._sharedCreds = context;
    for (const listener of shake) listener.call(server, socket);
  }

  function dismiss(place: string): void {
    guests.get(place)?.();
    guests.delete(place);
  }

  server.on('connection', (socket: Socket) => {
    if (!hasAddress(socket)) {
      socket.destroy();
      return;
    }
    const place = placeOf(socket);
    connections.add(socket);
    guests.set(place, onGuest(socket));
    socket.once('close', () => {
      connections.delete(socket);
      dismiss(place);
    });
    awaitHello(socket, HANDSHAKE_LIMIT_MS, ({ servername }) => begin(socket, servername || undefined));
  });
  server.on('secureConnection', (socket) => {
    dismiss(placeOf(socket));
    // Nothing is gained by it, and it costs us more than the client.
    socket.disableRenegotiation();
    // Where a hello is to be said again, it may have named somebody else.
    if (!hasAddress(socket) || contextFor(servernameOf(socket)) === null) socket.destroy();
    else if (socket.alpnProtocol === 'h2') onHttp2(socket);
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

const placeOf = ({ remoteAddress, remotePort }: Socket): string => `${remoteAddress} ${remotePort}`;

function refuse(socket: Socket): void {
  socket.on('error', () => {});
  socket.end(UNKNOWN_NAME, () => socket.destroy());
}
