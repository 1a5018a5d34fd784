import { readFileSync } from 'node:fs';
import { connect } from 'node:net';

const ANSWER_MS = 2000;

/**
 * The address by which processes of the task's own machine come; null where it is no sign of them. Docker's proxy
 * passes on by that address what anybody sends to any address of the machine, and is there on most machines; then
 * the machine's own processes come by the machine's own address. It takes every connection at the published port,
 * though nothing listens behind it yet; without it nobody does.
 */
export async function machineGateway(publishedPort: number): Promise<string | null> {
  const gateway = readGateway(readFileSync('/proc/self/net/route', 'utf8'));
  return gateway && !(await answers(gateway, publishedPort)) ? gateway : null;
}

/** The address is written as the machine's own number: its first byte comes last. */
export function readGateway(routes: string): string | null {
  for (const line of routes.split('\n')) {
    const [, destination, gateway] = line.split(/\s+/);
    if (destination !== '00000000' || !gateway) continue;
    return [6, 4, 2, 0].map((at) => Number.parseInt(gateway.slice(at, at + 2), 16)).join('.');
  }
  return null;
}

function answers(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port });
    const end = (isThere: boolean) => {
      socket.destroy();
      resolve(isThere);
    };
    socket.setTimeout(ANSWER_MS, () => end(false));
    socket.once('connect', () => end(true)).once('error', () => end(false));
  });
}
