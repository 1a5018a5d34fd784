import { readdirSync, readlinkSync } from 'node:fs';
import { readIfThere } from '../../lib/read-if-there.ts';
import type { Listener } from '../runtime.ts';

/** Everything that listens in the network namespace of these processes. */
export function listenersBeside(pids: readonly number[]): Listener[] {
  for (const pid of pids) {
    const sockets = socketsSeenBy(pid);
    if (sockets) return merge(sockets);
  }
  return [];
}

/** What these processes themselves listen on, in a network shared with others. */
export function listenersOf(pids: readonly number[]): Listener[] {
  const inodes = new Set(pids.flatMap(socketInodes));
  const sockets = pids.map(socketsSeenBy).find((seen) => seen !== null) ?? [];
  return merge(sockets.filter(({ inode }) => inodes.has(inode)));
}

export interface ListeningSocket extends Listener {
  inode: string;
}

const LISTEN = '0A';

/** The lines of `/proc/<pid>/net/tcp` or `tcp6` that listen. */
export function parseSockets(table: string): ListeningSocket[] {
  return table.split('\n').flatMap((line) => {
    const [, local = '', , state, , , , , , inode = ''] = line.trim().split(/\s+/);
    const [address, port] = local.split(':');
    if (state !== LISTEN || !address || !port) return [];
    return [{ port: Number.parseInt(port, 16), isLocal: isLoopback(address), inode }];
  });
}

const LOOPBACK_SIX = '00000000000000000000000001000000';
const MAPPED_FOUR = '0000000000000000FFFF0000';

/** Each four bytes are printed as the machine's own number, so the first byte of the address comes last. */
function isLoopback(hex: string): boolean {
  if (hex === LOOPBACK_SIX) return true;
  const four = hex.startsWith(MAPPED_FOUR) ? hex.slice(MAPPED_FOUR.length) : hex;
  return four.length === 8 && four.endsWith('7F');
}

function merge(sockets: readonly ListeningSocket[]): Listener[] {
  const ports = [...new Set(sockets.map(({ port }) => port))].toSorted((a, b) => a - b);
  return ports.map((port) => ({
    port,
    isLocal: sockets.every((socket) => socket.port !== port || socket.isLocal),
  }));
}

/** Null when the process is gone. */
function socketsSeenBy(pid: number): ListeningSocket[] | null {
  const four = readIfThere(`/proc/${pid}/net/tcp`);
  const six = readIfThere(`/proc/${pid}/net/tcp6`);
  return four === null ? null : parseSockets(`${four}\n${six ?? ''}`);
}

function socketInodes(pid: number): string[] {
  const folder = `/proc/${pid}/fd`;
  try {
    return readdirSync(folder).flatMap((name) => inodeOf(`${folder}/${name}`) ?? []);
  } catch {
    return [];
  }
}

function inodeOf(link: string): string | null {
  try {
    return /^socket:\[(\d+)\]$/.exec(readlinkSync(link))?.[1] ?? null;
  } catch {
    return null;
  }
}
