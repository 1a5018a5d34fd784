import { lookup } from 'node:dns/promises';
import net from 'node:net';
import { getSystemErrorName } from 'node:util';
import type { Config } from '../config.ts';
import { StartRefused } from './start-refused.ts';

/**
 * The public port: one listening socket per edge process, all on the same port, so that the kernel
 * spreads connections over them. The supervisor opens them and never accepts; an edge inherits its
 * own. When an edge dies, its socket stays open here, and what arrives waits for the next edge
 * instead of being refused.
 */
export interface PublicPort {
  port: number;
  /** One descriptor per edge process. */
  descriptors: readonly number[];
  close(): void;
}

interface Handle {
  fd: number;
  /** Below zero: what went wrong when it was opened, of which some is told only here. */
  getsockname(into: object): number;
  close(): void;
}

/** Node's own cluster opens its sockets by this: bound, but with nobody accepting. */
const { _createServerHandle: createHandle } = net as unknown as {
  _createServerHandle: (address: string, port: number, family: 4 | 6, fd: -1, flags: number) => Handle | number;
};
/** libuv's UV_TCP_REUSEPORT. */
const REUSE_PORT = 2;
const NOT_SHARED = 0;

export async function openPublicPort(config: Pick<Config, 'port' | 'bind'>, processes: number): Promise<PublicPort> {
  return openPort({ port: config.port, bind: config.bind, setting: 'LILAC_PORT' }, processes);
}

/**
 * The same for https. Null where there is to be none, or where the usual port is taken, which is told then: one that
 * the operator has named must be had.
 */
export async function openTlsPort(
  { port, bind, tls }: Pick<Config, 'port' | 'bind' | 'tls'>,
  processes: number,
  onTaken: (reason: string) => void,
): Promise<PublicPort | null> {
  if (tls.port === null) return null;
  try {
    if (tls.port === port) throw new StartRefused(`LILAC_PORT and LILAC_TLS_PORT are both ${port}. Set two ports.`);
    return await openPort({ port: tls.port, bind, setting: 'LILAC_TLS_PORT' }, processes);
  } catch (error) {
    if (tls.isPortRequired || !(error instanceof StartRefused)) throw error;
    onTaken(error.message);
    return null;
  }
}

/** A port, where it is opened, and by which setting another one is chosen. */
interface WantedPort {
  port: number;
  bind: string;
  setting: 'LILAC_PORT' | 'LILAC_TLS_PORT';
}

async function openPort(wanted: WantedPort, processes: number): Promise<PublicPort> {
  const address = await findFreeAddress(wanted);
  const handles: Handle[] = [];
  for (let process = 0; process < processes; process++) {
    const handle = bind(address, wanted.port, REUSE_PORT);
    if (typeof handle === 'string') throw new StartRefused(refusal(wanted, handle));
    handles.push(handle);
  }
  const { port } = wanted;
  return {
    port,
    descriptors: handles.map((handle) => handle.fd),
    close: () => handles.forEach((handle) => handle.close()),
  };
}

/**
 * Sockets that share a port do not notice when another program of the same user shares it too, so
 * the port is taken once without sharing first.
 */
async function findFreeAddress(wanted: WantedPort): Promise<string> {
  const candidates = wanted.bind === '::' ? ['::', '0.0.0.0'] : [await addressOf(wanted.bind)];
  let problem: string | undefined;
  for (const address of candidates) {
    const handle = bind(address, wanted.port, NOT_SHARED);
    if (typeof handle !== 'string') handle.close();
    if (typeof handle !== 'string') return address;
    problem = handle;
    // Only a machine without IPv6 is a reason to try the other.
    if (problem !== 'EAFNOSUPPORT' && problem !== 'EADDRNOTAVAIL') break;
  }
  throw new StartRefused(refusal(wanted, problem));
}

async function addressOf(bind: string): Promise<string> {
  if (net.isIP(bind)) return bind;
  const found = await lookup(bind).catch(() => null);
  if (!found) throw new StartRefused(`LILAC_BIND ("${bind}") is neither an address nor a name of this machine.`);
  return found.address;
}

/** The port, on which nobody listens yet: who connects is refused, and not taken by somebody who does not answer. */
function bind(address: string, port: number, flags: number): Handle | string {
  const handle = createHandle(address, port, net.isIPv4(address) ? 4 : 6, -1, flags);
  if (typeof handle === 'number') return getSystemErrorName(handle);
  const error = handle.getsockname({});
  if (error >= 0) return handle;
  handle.close();
  return getSystemErrorName(error);
}

function refusal({ port, bind, setting }: WantedPort, code: string | undefined): string {
  if (code === 'EADDRINUSE') {
    return `Port ${port} is in use by another program. Stop that one, or set ${setting} to another port.`;
  }
  if (code === 'EACCES') {
    return `Port ${port} may be opened by root only. Set ${setting} to a port above 1023, or start Lilac as root.`;
  }
  return `Port ${port} cannot be opened on ${bind} (${code}). Check LILAC_BIND and ${setting}.`;
}
