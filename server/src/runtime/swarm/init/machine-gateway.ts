import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { PROGRAM_PORT } from './agreement.ts';

const ANSWER_MS = 2000;

/**
 * The address by which processes of the task's own machine come; null where it is no sign of them. Docker's proxy
 * passes on by that address what anybody sends to any address of the machine, and is there on most machines; then
 * the machine's own processes come by the machine's own address. It takes every connection at the published port,
 * though nothing listens behind it yet; without it who calls that port calls himself. Only what shows that it is not
 * there counts: a machine may let nobody call its addresses, in silence or by a refusal, and programs of its own still
 * reach the proxy.
 */
export async function machineGateway(publishedPort: number): Promise<string | null> {
  const gateway = ownGateway();
  if (!gateway) return null;
  const answer = () => callAt({ host: gateway, port: publishedPort });
  if ((await answer()) !== 'refused') return null;
  const ourselves = createServer((socket) => socket.on('error', () => {}).destroy());
  ourselves.listen(PROGRAM_PORT, '0.0.0.0');
  await once(ourselves, 'listening');
  try {
    return (await answer()) === 'taken' ? gateway : null;
  } finally {
    ourselves.close();
  }
}

/** Rejects with a sentence for people where whoever claims the task would not reach it again. */
export function refuseUnreached(caller: string | undefined, gateway: string | null): void {
  if (gateway === null && caller !== undefined && caller === ownGateway()) {
    throw new Error(
      "Lilac comes to this task by the gateway of its machine's engine, by which builds may come too, and so cannot be " +
        'let in. Leave `iptables` of the engine switched on, and `userland-proxy` too, unless containers may call the ' +
        'ports that they publish at their machine.',
    );
  }
}

const ownGateway = (): string | null => readGateway(readFileSync('/proc/self/net/route', 'utf8'));

/** The address is written as the machine's own number: its first byte comes last. */
export function readGateway(routes: string): string | null {
  for (const line of routes.split('\n')) {
    const [, destination, gateway] = line.split(/\s+/);
    if (destination !== '00000000' || !gateway) continue;
    return [6, 4, 2, 0].map((at) => Number.parseInt(gateway.slice(at, at + 2), 16)).join('.');
  }
  return null;
}

function callAt(place: { host: string; port: number }): Promise<'taken' | 'refused' | 'unknown'> {
  return new Promise((resolve) => {
    const socket = connect(place);
    const end = (answer: 'taken' | 'refused' | 'unknown') => {
      socket.destroy();
      resolve(answer);
    };
    // What came while this process stood still is looked at first.
    socket.setTimeout(ANSWER_MS, () => setImmediate(end, 'unknown'));
    socket.once('connect', () => end('taken'));
    socket.on('error', ({ code }: NodeJS.ErrnoException) => end(code === 'ECONNREFUSED' ? 'refused' : 'unknown'));
  });
}
