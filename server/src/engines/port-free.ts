import { createServer } from 'node:net';

/**
 * Whether nobody listens at the port, by IPv4 or IPv6. A server may be content with one of the two, and then
 * clients of the other kind would speak with a stranger.
 */
export async function isPortFree(port: number): Promise<boolean> {
  return (await canListen(port, '0.0.0.0')) && (await canListen(port, '::'));
}

function canListen(port: number, host: string): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', ({ code }: NodeJS.ErrnoException) => resolve(code !== 'EADDRINUSE'));
    server.listen({ port, host, ipv6Only: true, exclusive: true }, () => server.close(() => resolve(true)));
  });
}
