import type { IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import type { Duplex } from 'node:stream';
import { requestHeaders, type ForwardedFor } from '../headers.ts';

export interface Tunnel {
  request: IncomingMessage;
  socket: Duplex & { setTimeout?(ms: number): unknown };
  /** What the client has sent after the request. */
  head: Buffer;
  path: string;
  client: ForwardedFor;
}

/** Passes a request for a tunnel on to an edge's inner socket, and then everything, both ways. */
export function tunnelInside(socketPath: string, { request, socket, head, path, client }: Tunnel): void {
  // The front has its own limits for tunnels.
  socket.setTimeout?.(0);
  const inside = connect({ path: socketPath, allowHalfOpen: true });
  inside.write(headOf(request, path, client), 'latin1');
  inside.write(head);
  const end = () => {
    inside.destroy();
    socket.destroy();
  };
  inside.on('error', end).on('close', end);
  socket.on('error', end).on('close', end);
  inside.pipe(socket);
  socket.pipe(inside);
}

function headOf({ method, rawHeaders, headers }: IncomingMessage, path: string, client: ForwardedFor): string {
  const passed = requestHeaders(rawHeaders, client, { isChunked: false, expectsContinue: false });
  passed.push('Connection', 'Upgrade', 'Upgrade', headers.upgrade ?? '');
  let lines = '';
  for (let at = 0; at < passed.length; at += 2) lines += `${passed[at]}: ${passed[at + 1]}\r\n`;
  return `${method} ${path} HTTP/1.1\r\n${lines}\r\n`;
}

/** Of a target that was written in full, its host counts (RFC 9112, 3.2.2). */
export function nameHost({ rawHeaders }: IncomingMessage, host: string): void {
  const at = rawHeaders.findIndex((text, index) => index % 2 === 0 && text.toLowerCase() === 'host');
  if (at >= 0) rawHeaders[at + 1] = host;
}
