import { once } from 'node:events';
import { request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { connect as connectTls, TLSSocket } from 'node:tls';
import fc from 'fast-check';
import { statusesOfHttp1, statusesOfHttp2 } from '../server/src/edge/testing/answered-statuses.ts';
import {
  flood,
  floodsOf,
  opening,
  request as streamOf,
  rightConversations,
} from '../server/src/edge/tls/http2/testing/floods.ts';
import { mutationsOf, readCorpus } from '../server/src/testing/fuzz-settings.ts';

export interface Target {
  port: number;
  tlsPort: number;
  /** What each name of the corpus is really called. */
  hosts: Record<CorpusHost, string>;
}

/** A site, a server, a site that asks for a password, and one with a name of its own. */
export const corpusHosts = ['site.localhost', 'server.localhost', 'locked.localhost', 'www.example.org'] as const;
export type CorpusHost = (typeof corpusHosts)[number];

/** What was answered to some bytes, as far as anything was; null: an answer, and nobody knows which. */
export interface Reply {
  sent: Buffer;
  statuses: (number | null)[];
}

/** It may wait until somebody else was served meanwhile. */
export type Attack = (target: Target, seed: number, othersServed: Promise<unknown>) => Promise<Reply[]>;

const AT_ONCE = 20;
/** Whoever has said all there is to say and hears nothing for so long goes, once somebody who came later was served. */
const PATIENCE_MS = 250;

/** Each is made of a seed, and ends with every connection closed. */
export const attacks: Record<string, Attack> = {
  'requests that are nearly right': (target, seed) =>
    sendAll([...tellingPaths(target), ...madeOf(requests(target), telling, { seed, numRuns: 300 })], {
      target,
      open: () => plain(target),
      read: statusesOfHttp1,
    }),
  'the same by https': (target, seed) =>
    sendAll(madeOf(requests(target), telling, { seed, numRuns: 100 }), {
      target,
      open: () => secure(target, 'http/1.1'),
      read: statusesOfHttp1,
    }),
  'rubbish in the place of a handshake': (target, seed) =>
    sendAll([hello, ...readCorpus('edge'), ...fc.sample(rubbish, { seed, numRuns: 100 })], {
      target,
      open: () => connect(target.tlsPort, '127.0.0.1'),
      read: statusesOfHttp1,
    }),
  'frames of HTTP/2 that are nearly right': (target, seed) =>
    sendAll([...tellingStreams(target), ...madeOf(conversations(target), ofFrames, { seed, numRuns: 200 })], {
      target,
      open: () => secure(target, 'h2'),
      read: statusesOfHttp2,
    }),
  'floods of HTTP/2': async (target) => {
    for (const host of ['site.localhost', 'server.localhost'] as const) {
      for (const each of Object.values(floodsOf(target.hosts[host]))) await floodWith(target, each);
    }
    return [];
  },
  'heads without end': (target) =>
    sendAll(headFloods(target), { target, open: () => plain(target), read: statusesOfHttp1 }),
  'very many who never finish': async (target, _seed, othersServed) => {
    await holdUnfinished(target, othersServed);
    return [];
  },
};

/** What may stand in a path, and means something to whoever decodes it: half an escape, none, half a character, a way up. */
const inPaths = [
  '%',
  '%z',
  '%zz',
  '100%',
  '%e0%a4',
  '%ff',
  '%c0%80',
  '%ed%a0%80',
  '%u0041',
  '%00',
  '%2f',
  '%2e%2e%2f',
  '..',
  '..%5c',
  '(',
  '[',
  '{',
  '*',
  '$&',
];

const telling = [
  ...inPaths,
  '\r\n',
  '\n',
  '\r',
  '\0',
  ' ',
  ':',
  ',',
  '0',
  '-1',
  'ffffffffffffffff',
  'chunked',
  'Host: ',
  '\x80',
];

function requests({ hosts }: Target): Buffer[] {
  const withHosts = (text: string) =>
    corpusHosts.reduce((changed, name) => changed.replaceAll(name, hosts[name]), text);
  return readCorpus('edge').map((bytes) => Buffer.from(withHosts(bytes.toString('latin1')), 'latin1'));
}

/** To everybody whom the edge answers for. */
const everyHost = ({ hosts }: Target) => ['localhost', ...Object.values(hosts)];

const requestTargets = inPaths.flatMap((text) => [`/${text}`, `/a${text}/b`, `/?a=${text}`]);

/** Each once by itself, all else being right: chance alone would seldom have them so. */
function tellingPaths(target: Target): Buffer[] {
  return everyHost(target).flatMap((host) =>
    requestTargets.map((path) => Buffer.from(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)),
  );
}

/** Of HTTP/2 all of them on one connection, each in its own stream. */
function tellingStreams(target: Target): Buffer[] {
  return everyHost(target).map((host) =>
    Buffer.concat([opening(), ...requestTargets.map((path, at) => streamOf(at * 2 + 1, host, { path }))]),
  );
}

/** Of TLS 1.0 to 1.2, as clients begin: a record, a greeting of version 3.3, random bytes, no session, two ciphers. */
const hello = Buffer.concat([
  Buffer.from('160301003d010000390303', 'hex'),
  Buffer.alloc(32, 7),
  Buffer.from('00000413011302010000', 'hex'),
  Buffer.from('0c0000000a00080000056c6f63616c', 'hex'),
]);
const rubbish = fc.oneof(
  mutationsOf([hello], ['\x16\x03', '\xff\xff', '\0\0', '\x14\x03\x03\0\x01\x01', '\x15\x03\x03\0\x02\x02\x28']),
  fc.uint8Array({ maxLength: 2000, size: 'max' }).map((bytes) => Buffer.from(bytes)),
);

const conversations = ({ hosts }: Target) => Object.values(hosts).flatMap((host) => rightConversations(host));
const ofFrames = ['\0\0\0', '\xff\xff\xff', '\x09', '\x01\x04', '\x7f\xff\xff\xff', '\x05', '\0\0\0\x01'];

/** To the platform itself, and to a server behind the edge. */
function headFloods({ hosts }: Target): Buffer[] {
  return ['localhost', hosts['server.localhost']].flatMap((host) =>
    [
      `GET / HTTP/1.1\r\nHost: ${host}\r\nX: ${'x'.repeat(1_000_000)}`,
      `GET /${'a'.repeat(1_000_000)} HTTP/1.1\r\n`,
      `GET / HTTP/1.1\r\nHost: ${host}\r\n${'X: y\r\n'.repeat(100_000)}\r\n`,
      `POST / HTTP/1.1\r\nHost: ${host}\r\nTransfer-Encoding: chunked\r\n\r\n1;${'x'.repeat(1_000_000)}`,
      `POST / HTTP/1.1\r\nHost: ${host}\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n${'X: y\r\n'.repeat(100_000)}`,
    ].map((text) => Buffer.from(text)),
  );
}

/** What is kept comes first, as it is; the others are made of it. */
function madeOf(
  kept: readonly Buffer[],
  telling: readonly string[],
  runs: { seed: number; numRuns: number },
): Buffer[] {
  return [...kept, ...fc.sample(mutationsOf(kept, telling), runs)];
}

const plain = ({ port }: Target): Socket => connect(port, '127.0.0.1');

function secure({ tlsPort, hosts }: Target, protocol: 'h2' | 'http/1.1'): TLSSocket {
  return connectTls({
    host: '127.0.0.1',
    port: tlsPort,
    servername: hosts['site.localhost'],
    rejectUnauthorized: false,
    ALPNProtocols: [protocol],
  });
}

interface Way {
  target: Target;
  open: () => Socket;
  /** What the bytes of a reply say. */
  read: (reply: Buffer) => (number | null)[];
}

async function sendAll(all: readonly Buffer[], way: Way): Promise<Reply[]> {
  const replies: Reply[] = [];
  for (let at = 0; at < all.length; at += AT_ONCE) {
    let later: Promise<unknown> | undefined;
    const laterServed = () => (later ??= comeLater(way));
    const some = all.slice(at, at + AT_ONCE).map((bytes) => sendOne(bytes, { ...way, laterServed }));
    replies.push(...(await Promise.all(some)));
  }
  return replies;
}

/** By a connection of the same kind, then to everybody by new ones: who keeps one overtakes those who wait for theirs. */
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
async function floodWith(target: Target, each: (count: number) => Buffer): Promise<void> {
  const socket = secure(target, 'h2');
  socket.on('error', () => {});
  await once(socket, 'secureConnect');
  await Promise.race([flood(socket, each), delay(10_000)]);
  socket.destroy();
}

const MANY = 300;

/** Heads, bodies and handshakes that stop in the middle and then only drip, for as long as nobody else is served. */
async function holdUnfinished(target: Target, othersServed: Promise<unknown>): Promise<void> {
  const server = target.hosts['server.localhost'];
  const beginnings = [
    { port: target.port, bytes: 'GET / HTTP/1.1\r\nHost: localhost\r\nX: ' },
    {
      port: target.port,
      bytes: `POST /echo HTTP/1.1\r\nHost: ${server}\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhel`,
    },
    { port: target.port, bytes: 'POST /api/auth/login HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n{' },
    { port: target.tlsPort, bytes: '\x16\x03\x01' },
  ];
  const sockets = Array.from({ length: MANY }, (_, index) => {
    const { port, bytes } = beginnings[index % beginnings.length]!;
    const socket = connect(port, '127.0.0.1').on('error', () => {});
    socket.write(bytes, 'latin1');
    return socket;
  });
  for (let drop = 0; drop < 3; drop++) {
    await delay(50);
    for (const socket of sockets) if (!socket.destroyed) socket.write('a');
  }
  await othersServed;
  const open = sockets.filter(({ closed }) => !closed);
  await Promise.all(open.map((socket) => once(socket.destroy(), 'close')));
}

/** Heads and handshakes that go on for ever, a byte at a time. They stay until they are sent away. */
export function holdForEver({ port, tlsPort }: Target, count: number): EndlessClients {
  const beginnings = [
    { port, bytes: 'GET / HTTP/1.1\r\nHost: localhost\r\nX: ' },
    { port, bytes: 'GET /' },
    // A record of 512 bytes.
    { port: tlsPort, bytes: '\x16\x03\x01\x02\x00\x01' },
  ];
  const sockets = Array.from({ length: count }, (_, index) => {
    const { port, bytes } = beginnings[index % beginnings.length]!;
    const socket = connect(port, '127.0.0.1').on('error', () => {});
    socket.resume().write(bytes, 'latin1');
    return socket;
  });
  return {
    open: () => sockets.filter(({ closed }) => !closed).length,
    drip() {
      for (const socket of sockets) if (socket.writable) socket.write('a');
    },
    [Symbol.dispose]() {
      for (const socket of sockets) socket.destroy();
    },
  };
}

export interface EndlessClients extends Disposable {
  /** How many have not been sent away. */
  open(): number;
  drip(): void;
}
