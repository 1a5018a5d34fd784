import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import {
  connect,
  createServer,
  type ConnectionOptions,
  type PeerCertificate,
  type SecureContext,
  type SecureVersion,
} from 'node:tls';
import { onTestFinished } from 'vitest';
import type { SecureNames } from '../secure-names.ts';

export interface Handshake {
  /** The names that the certificate is for; null when none was shown, since the session went on. */
  names: string | null;
  isResumed: boolean;
  session: Buffer;
}

/** What Node begins every handshake with. */
interface Internals {
  _sharedCreds: SecureContext;
}

/** Listens as an edge does, and says one word to whoever comes. */
export async function startSecureServer(names: SecureNames) {
  const server = createServer({
    SNICallback: (servername, done) => {
      const context = names.contextFor(servername);
      if (context instanceof Promise) throw new Error('no context at once');
      if (context) done(null, context);
      else done(new Error('nobody of that name'));
    },
  });
  server.prependListener('connection', () => {
    const context = names.contextFor(undefined);
    if (context && !(context instanceof Promise)) (server as unknown as Internals)._sharedCreds = context;
  });
  server.on('secureConnection', (socket) => socket.on('error', () => {}).end('hello'));
  server.on('tlsClientError', () => {});
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;

  /** Fails when the handshake does. */
  async function shake(
    servername: string,
    { version = 'TLSv1.3', ...options }: ConnectionOptions & { version?: SecureVersion } = {},
  ): Promise<Handshake> {
    const versions = { minVersion: version, maxVersion: version };
    const socket = connect({ port, host: '127.0.0.1', servername, rejectUnauthorized: false, ...versions, ...options });
    const sessions: Buffer[] = [];
    socket.on('session', (session: Buffer) => sessions.push(session));
    socket.resume();
    await once(socket, 'secureConnect');
    const isResumed = socket.isSessionReused();
    const shown = socket.getPeerCertificate() as PeerCertificate | undefined;
    await once(socket, 'end');
    socket.destroy();
    return { names: shown?.subjectaltname ?? null, isResumed, session: sessions.at(-1)! };
  }

  return { port, shake };
}
