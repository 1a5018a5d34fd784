import { once } from 'node:events';
import { request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { connect as connectTls, TLSSocket } from 'node:tls';
import { flood } from '../server/src/edge/tls/http2/testing/floods.ts';
import { everyHost, type Target } from './edge-target.ts';

/** What was answered to some bytes, as far as anything was; null: an answer, and nobody knows which. */
export interface Reply {
  sent: Buffer;
  statuses: (number | null)[];
}

const AT_ONCE = 20;
/** Whoever has said all there is to say and hears nothing for so long goes, once somebody who came later was served. */
const PATIENCE_MS = 250;

export const connectPlainly = ({ port }: Target): Socket => connect(port, '127.0.0.1');

export function connectSecurely({ tlsPort, hosts }: Target, protocol: 'h2' | 'http/1.1'): TLSSocket {
  return connectTls({
    host: '127.0.0.1',
    port: tlsPort,
    servername: hosts['site.localhost'],
    rejectUnauthorized: false,
    ALPNProtocols: [protocol],
  });
}

export interface Way {
  target: Target;
  open: () => Socket;
  /** What the bytes of a reply say. */
  read: (reply: Buffer) => (number | null)[];
}

export async function sendAll(all: readonly Buffer[], way: Way): Promise<Reply[]> {
  const replies: Reply[] = [];
  for (let at = 0; at < all.length; at += AT_ONCE) {
    let later: Promise<unknown> | undefined;
    const laterServed = () => (later ??= comeLater(way));
    const some = all.slice(at, at + AT_ONCE).map((bytes) => sendOne(bytes, { ...way, laterServed }));
    replies.push(...(await Promise.all(some)));
  }
  return replies;
}

/**
 * By a connection of the same kind, then to everybody by new ones: who keeps one overtakes those who wait for theirs.
 */
async function comeLater({ target, open }: Way): Promise<void> {
  const socket = open().on('error', () => {});
  await Promise.race([
    new Promise((resolve) => socket.once(socket instanceof TLSSocket ? 'secureConnect' : 'connect', resolve)),
    new Promise((resolve) => socket.once('close', resolve)),
  ]);
  socket.destroy();
  await Promise.all(everyHost(target).map((host) => visitAfresh(target, host)));
}

function visitAfresh({ port }: Target, host: string): Promise<unknown> {
  const signal = AbortSignal.timeout(30_000);
  return new Promise((resolve) => {
    request({ host: '127.0.0.1', port, headers: { host }, agent: false, signal }, (answer) =>
      answer.resume().once('close', resolve),
    )
      .once('error', resolve)
      .end();
  });
}

/** Waits for the end, or until nothing has come for a while: on a machine that is busy that says little by itself. */
function sendOne(
  sent: Buffer,
  { open, read, laterServed }: Way & { laterServed: () => Promise<unknown> },
): Promise<Reply> {
  const pieces: Buffer[] = [];
  const socket = open();
  return new Promise((resolve) => {
    socket.on('error', () => {}).on('data', (piece: Buffer) => pieces.push(piece));
    // What has come meanwhile is read before it is closed.
    const leave = () => setImmediate(() => socket.destroy());
    socket.setTimeout(PATIENCE_MS, () => void laterServed().then(leave, leave));
    socket.once('close', () => resolve({ sent, statuses: read(Buffer.concat(pieces)) }));
    socket.write(sent);
  });
}

/** Whether or not it is sent away; that it is, another test shows. */
export async function floodWith(target: Target, each: (count: number) => Buffer): Promise<void> {
  const socket = connectSecurely(target, 'h2');
  socket.on('error', () => {});
  await once(socket, 'secureConnect');
  await Promise.race([flood(socket, each), delay(10_000)]);
  socket.destroy();
}
