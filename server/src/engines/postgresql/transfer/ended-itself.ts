import type { Socket } from 'node:net';
import pg from 'pg';
import { waitForExit, type ProcessIdentity } from '../../../lib/process-identity.ts';

/** What a server tells every other session when the process of one has died, as it stands in a message. */
const ANOTHER_DIED = 'C57P02\0';
const LONGEST_MESSAGE = 4096;
const LOST = /Connection terminated unexpectedly|ECONNRESET|EPIPE/;
const GONE_MS = 1000;

/**
 * Whoever stops or replaces a server tells its sessions, or ends all of it. That a session went without a word, and the
 * server is there, means that its process was killed: for want of memory. Gives how to ask that of a failure.
 */
export function watchSession(
  main: ProcessIdentity,
  hasAnotherDied: () => boolean,
): (error: unknown) => Promise<boolean> {
  return async (error) => {
    if (error instanceof pg.DatabaseError || hasAnotherDied()) return false;
    if (!(error instanceof Error && LOST.test(error.message))) return false;
    // Where all of it was killed, the sessions may go first.
    return !(await waitForExit(main, GONE_MS));
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
