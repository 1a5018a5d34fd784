import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import type { ServerHost } from '../../host/server-host.ts';

/** What a server tells every other session when the process of one has died, as it stands in a message. */
const ANOTHER_DIED = 'C57P02\0';
const LONGEST_MESSAGE = 4096;
const LOST = /Connection terminated unexpectedly|ECONNRESET|EPIPE/;
const GONE_MS = 1000;

/** Whether the server, as it ran when somebody began to ask, is gone by then. */
export type GoneWithin = (timeoutMs: number) => Promise<boolean>;

const LOOK_AGAIN_MS = 20;

/** Null where it does not run. Another start is not the same server. */
export function watchServer(host: Pick<ServerHost, 'runOf'>, serverId: string): GoneWithin | null {
  const run = host.runOf(serverId);
  if (run === null) return null;
  return async (timeoutMs) => {
    const deadline = Date.now() + timeoutMs;
    while (host.runOf(serverId) === run) {
      if (Date.now() > deadline) return false;
      await delay(LOOK_AGAIN_MS);
    }
    return true;
  };
}

/**
 * Whoever stops or replaces a server tells its sessions, or ends all of it. That a session went without a word, and the
 * server is there, means that its process was killed: for want of memory. Gives how to ask that of a failure.
 */
export function watchSession(
  isGoneWithin: GoneWithin,
  hasAnotherDied: () => boolean,
): (error: unknown) => Promise<boolean> {
  return async (error) => {
    if (error instanceof pg.DatabaseError || hasAnotherDied()) return false;
    if (!(error instanceof Error && LOST.test(error.message))) return false;
    // Where all of it was killed, the sessions may go first.
    return !(await isGoneWithin(GONE_MS));
  };
}

/** By what the server says to the session. */
export function listenToNotices(client: pg.Client): () => boolean {
  let isTold = false;
  client.on('notice', ({ code }) => (isTold ||= code === '57P02'));
  return () => isTold;
}

/** The same where nobody is told of notices: by the bytes as they come. */
export function listenToSocket(client: pg.Client): () => boolean {
  let lastSaid = Buffer.alloc(0);
  socketOf(client).on('data', (piece: Buffer) => {
    lastSaid = Buffer.concat([lastSaid, piece.subarray(-LONGEST_MESSAGE)]).subarray(-LONGEST_MESSAGE);
  });
  return () => lastSaid.includes(ANOTHER_DIED);
}

export const socketOf = (client: pg.Client): Socket =>
  (client as unknown as { connection: { stream: Socket } }).connection.stream;
