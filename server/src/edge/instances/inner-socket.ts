import { chmodSync, mkdirSync, rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { dirname } from 'node:path';

/**
 * An edge's own way in, for itself alone: what comes here is believed what it says of its client. A
 * predecessor that was killed leaves its file behind.
 */
export function openInnerSocket(path: string, take: (socket: Socket) => void): Server {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  rmSync(path, { force: true });
  // As on the public port: who has asked may say no more, and still wants the answer.
  const server = createServer({ allowHalfOpen: true, noDelay: true }, take);
  server.listen(path);
  // Bound already, and nobody has been taken yet.
  chmodSync(path, 0o600);
  return server;
}
