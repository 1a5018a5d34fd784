import type { IncomingMessage, Server } from 'node:http';
import { isIP } from 'node:net';

/** Where a request came from, and what the caller's browser knows this server as. */
export interface Origination {
  address: string;
  /** `https://lilac.example.org`: the caller's own idea of this server's origin. */
  ownOrigin: string;
}

/**
 * On the unix socket the edge is the only one who can call, so what it says about the client is
 * believed. On a TCP socket anybody may call, so those headers are ignored.
 */
export function createOrigination(server: Server): (request: IncomingMessage) => Origination {
  let isBehindEdge = false;
  server.on('listening', () => (isBehindEdge = typeof server.address() === 'string'));
  return ({ headers, socket }) => {
    if (!isBehindEdge) {
      return { address: socket.remoteAddress ?? LOCAL, ownOrigin: `http://${headers.host ?? ''}` };
    }
    const forwarded = headers['x-forwarded-for'];
    const protocol = headers['x-forwarded-proto'] === 'https' ? 'https' : 'http';
    return {
      address: typeof forwarded === 'string' && isIP(forwarded) ? forwarded : LOCAL,
      ownOrigin: `${protocol}://${single(headers['x-forwarded-host']) ?? headers.host ?? ''}`,
    };
  };
}

/** A caller on the unix socket that is not the edge is a program of this installation. */
const LOCAL = '127.0.0.1';

function single(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value;
}
