import type { Server } from 'node:tls';
import type { SecureNames } from '../certificates/secure-names.ts';
import type { Front } from '../front/front.ts';
import { Guest } from './guest.ts';
import { Http2Connection, type Http2ConnectionOptions } from './http2/http2-connection.ts';
import { createStreamServer, type StreamServerOptions } from './http2/serve-stream.ts';
import { StreamShares } from './http2/stream-shares.ts';
import { createTlsServer } from './tls-server.ts';

export interface HttpsOptions extends StreamServerOptions {
  names: SecureNames;
  maxConnections: number;
}

export interface Https {
  server: Server;
  /** Who has the connections from now on. Before anybody listens. */
  serveBy: (front: Front) => void;
  closeAll: () => void;
}

/** What stands on the public port for https. */
export function createHttps({ names, maxConnections, ...rest }: HttpsOptions): Https {
  const serve = createStreamServer(rest);
  const shares = new StreamShares(maxConnections);
  // One that speaks for many has a share for each of them.
  const addressOf: Http2ConnectionOptions['addressOf'] = (headers, { remoteAddress }) =>
    rest.identify({
      remoteAddress: remoteAddress ?? '',
      isSecure: true,
      forwardedFor: headers['x-forwarded-for']?.toString(),
      forwardedProto: undefined,
    }).address;
  let front: Front;
  const { server, closeAll } = createTlsServer({
    names,
    onGuest: (socket) => {
      const guest = new Guest(socket, front.now);
      front.hold(guest);
      return () => front.forget(guest);
    },
    onHttp1: (socket) => front.take(socket, 'https'),
    onHttp2: (socket) => void new Http2Connection(socket, { front, shares, addressOf, serve }),
  });
  return { server, serveBy: (given) => void (front = given), closeAll };
}
