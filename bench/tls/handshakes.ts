import { once } from 'node:events';
import { connect } from 'node:tls';

const CLIENTS = 8;
const ROUND_MS = 1000;

/** Connects again and again for a second; with a session of the connection before, or always anew. */
export async function countHandshakes(
  port: number,
  { isResumed }: { isResumed: boolean },
): Promise<{ count: number; seconds: number }> {
  const began = performance.now();
  let count = 0;
  const client = async () => {
    let session: Buffer | undefined;
    while (performance.now() - began < ROUND_MS) {
      const socket = connect({ host: '127.0.0.1', port, session, rejectUnauthorized: false });
      // With TLS 1.3 the ticket comes after the handshake.
      const ticket = isResumed && session === undefined ? once(socket, 'session') : null;
      await once(socket, 'secureConnect');
      if (session !== undefined && !socket.isSessionReused()) throw new Error('The session was not resumed.');
      if (ticket) [session] = (await ticket) as [Buffer];
      socket.destroy();
      count++;
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
  return { count, seconds: (performance.now() - began) / 1000 };
}
