import { lookup } from 'node:dns/promises';
import net from 'node:net';
import type { Config } from '../config.ts';
import { StartRefused } from './start-refused.ts';

/**
 * The public port: one listening socket per edge process, all on the same port, so that the kernel
 * spreads connections over them. The supervisor opens them and never accepts; an edge inherits its
 * own. When an edge dies, its socket stays open here, and what arrives waits for the next edge
 * instead of being refused.
 */
export interface PublicPort {
  /** One descriptor per edge process. */
  descriptors: readonly number[];
  close(): void;
}

interface Handle {
  fd: number;
  close(): void;
}

/** Node's own cluster opens its sockets by this: bound, but with nobody accepting. */
const { _createServerHandle: createHandle } = net as unknown as {
  _createServerHandle: (address: string, port: number, family: 4 | 6, fd: -1, flags: number) => Handle | number;
};
/** libuv's UV_TCP_REUSEPORT. */
const REUSE_PORT = 2;

export async function openPublicPort(config: Pick<Config, 'port' | 'bind'>, processes: number): Promise<PublicPort> {
  const address = await findFreeAddress(config);
  const handles: Handle[] = [];
  for (let process = 0; process < processes; process++) {
    const handle = createHandle(address, config.port, net.isIPv4(address) ? 4 : 6, -1, REUSE_PORT);
    if (typeof handle === 'number') throw new StartRefused(refusal(config, `error ${-handle}`));
    handles.push(handle);
  }
  return { descriptors: handles.map((handle) => handle.fd), close: () => handles.forEach((handle) => handle.close()) };
}

/**
 * Sockets that share a port do not notice when another program of the same user shares it too, so
 * the port is opened once without sharing first.
 */
async function findFreeAddress(config: Pick<Config, 'port' | 'bind'>): Promise<string> {
  const candidates = config.bind === '::' ? ['::', '0.0.0.0'] : [await addressOf(config.bind)];
  let problem: NodeJS.ErrnoException | undefined;
  for (const address of candidates) {
    problem = await tryListen(address, config.port);
    if (!problem) return address;
    // Only a machine without IPv6 is a reason to try the other.
    if (problem.code !== 'EAFNOSUPPORT' && problem.code !== 'EADDRNOTAVAIL') break;
  }
  throw new StartRefused(refusal(config, problem?.code));
}

async function addressOf(bind: string): Promise<string> {
  if (net.isIP(bind)) return bind;
  const found = await lookup(bind).catch(() => null);
  if (!found) throw new StartRefused(`LILAC_BIND ("${bind}") is neither an address nor a name of this machine.`);
  return found.address;
}

function tryListen(host: string, port: number): Promise<NodeJS.ErrnoException | undefined> {
  return new Promise((resolve) => {
    const server = net.createServer((socket) => socket.destroy());
    server.once('error', (error) => resolve(error));
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(undefined)));
  });
}

function refusal({ port, bind }: Pick<Config, 'port' | 'bind'>, code: string | undefined): string {
  if (code === 'EADDRINUSE') {
    return `Port ${port} is in use by another program. Stop that one, or set LILAC_PORT to another port.`;
  }
  if (code === 'EACCES') {
    return `Port ${port} may be opened by root only. Set LILAC_PORT to a port above 1023, or start Lilac as root.`;
  }
  return `Port ${port} cannot be opened on ${bind} (${code}). Check LILAC_BIND and LILAC_PORT.`;
}
