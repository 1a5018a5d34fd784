import { createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/** A server that was killed counts as ended a moment before the kernel has taken its port from it. */
const LET_GO_MS = 3000;
const LOOK_MS = 25;

/**
 * Whether nobody listens at the port, by IPv4 or IPv6. A server may be content with one of the two, and then
 * clients of the other kind would speak with a stranger.
 */
export async function isPortFree(port: number): Promise<boolean> {
  return (await canListen(port, '0.0.0.0')) && (await canListen(port, '::'));
}

/** Where somebody listens, they may be about to go. */
export async function becomesFree(port: number, withinMs = LET_GO_MS): Promise<boolean> {
  const deadline = performance.now() + withinMs;
  while (!(await isPortFree(port))) {
    if (performance.now() >= deadline) return false;
    await delay(LOOK_MS);
  }
  return true;
}

function canListen(port: number, host: string): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    // A machine without IPv6 has nobody who listens there.
    server.once('error', ({ code }: NodeJS.ErrnoException) =>
      resolve(code === 'EAFNOSUPPORT' || code === 'EADDRNOTAVAIL'),
    );
    server.listen({ port, host, ipv6Only: host === '::', exclusive: true }, () => server.close(() => resolve(true)));
  });
}
