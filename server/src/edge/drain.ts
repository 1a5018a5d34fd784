import type { Server } from 'node:http';
import { Server as NetServer } from 'node:net';
import type { Front } from './front/front.ts';

/** How long idle connections stay open when stopping, to be told so with their next answer. */
const IDLE_GRACE_MS = 300;

export interface DrainOptions {
  server: Server;
  /** The one for https, where there is one. */
  secure?: { server: NetServer; closeAll(): void } | null;
  /** The edge's own way in. It stays until the last client is gone, who may need it. */
  innerServer?: NetServer;
  front: Front;
  drainMs: number;
}

/** Takes no new connections; resolves when the last one is closed, by itself or because the time is up. */
export async function drain({ server, secure, innerServer, front, drainMs }: DrainOptions): Promise<void> {
  // A connection closed at the moment its client sends the next request would lose that request.
  const graceMs = Math.min(IDLE_GRACE_MS, drainMs / 2);
  const closeIdle = () => {
    front.closeIdle();
    server.closeIdleConnections();
  };
  const closeAll = () => {
    front.closeAll();
    server.closeAllConnections();
    secure?.closeAll();
  };
  let tidy: NodeJS.Timeout | undefined;
  const endGrace = setTimeout(() => (tidy = setInterval(closeIdle, 20)), graceMs);
  const giveUp = setTimeout(closeAll, drainMs);
  const ports = [server, secure?.server].filter((port) => port !== undefined);
  await takeWaiting(ports, performance.now() + graceMs);
  await Promise.all(ports.map(stopListening));
  clearTimeout(endGrace);
  clearInterval(tidy);
  clearTimeout(giveUp);
  front.closeAll();
  await stopListening(innerServer);
}

/**
 * Who has connected and was not looked at yet would be reset with the port. A turn of the loop takes one of them: after
 * two in a row in which nobody came nobody waits, and what follows is done before anybody else can come.
 */
async function takeWaiting(servers: readonly NetServer[], untilMs: number): Promise<void> {
  let quietTurns = 0;
  const onConnection = () => (quietTurns = 0);
  for (const server of servers) server.on('connection', onConnection);
  for (; quietTurns < 2 && performance.now() < untilMs; quietTurns++) {
    await new Promise<void>((resolve) => setImmediate(resolve));
  }
  for (const server of servers) server.off('connection', onConnection);
}

/** Unlike an HTTP server's own close, this leaves idle connections open. */
function stopListening(server: NetServer | undefined): Promise<void> {
  return new Promise((resolve) => {
    if (server) NetServer.prototype.close.call(server, () => resolve());
    else resolve();
  });
}
