import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import fc from 'fast-check';
import { statusesOfHttp1, statusesOfHttp2 } from '../server/src/edge/testing/answered-statuses.ts';
import { flood, floodsOf, rightConversations } from '../server/src/edge/tls/http2/testing/floods.ts';
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

type Attack = (target: Target, seed: number) => Promise<Reply[]>;

const AT_ONCE = 20;
/** Whoever has said all there is to say and is not sent away goes by himself. */
const PATIENCE_MS = 250;

/** Each is made of a seed, and ends with every connection closed. */
export const attacks: Record<string, Attack> = {
  'requests that are nearly right': (target, seed) =>
    sendAll(samples(requests(target), seed, 300), { open: () => plain(target), read: statusesOfHttp1 }),
  'the same by https': (target, seed) =>
    sendAll(samples(requests(target), seed, 100), { open: () => secure(target, 'http/1.1'), read: statusesOfHttp1 }),
  'rubbish in the place of a handshake': (target, seed) =>
    sendAll(samples(rubbish, seed, 100), {
      open: () => connect(target.tlsPort, '127.0.0.1'),
      read: statusesOfHttp1,
    }),
  'frames of HTTP/2 that are nearly right': (target, seed) =>
    sendAll(samples(frames(target), seed, 200), { open: () => secure(target, 'h2'), read: statusesOfHttp2 }),
  'floods of HTTP/2': async (target) => {
    for (const host of ['site.localhost', 'server.localhost'] as const) {
      for (const each of Object.values(floodsOf(target.hosts[host]))) await floodWith(target, each);
    }
    return [];
  },
  'heads without end': (target) => sendAll(headFloods(target), { open: () => plain(target), read: statusesOfHttp1 }),
  'very many who never finish': async (target) => {
    await holdUnfinished(target);
    return [];
  },
};

const telling = [
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
  '%00',
  '\x80',
];

function requests({ hosts }: Target): fc.Arbitrary<Buffer> {
  const withHosts = (text: string) =>
    corpusHosts.reduce((changed, name) => changed.replaceAll(name, hosts[name]), text);
  const corpus = readCorpus('edge').map((bytes) => Buffer.from(withHosts(bytes.toString('latin1')), 'latin1'));
  return mutationsOf(corpus, telling);
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
  fc.constantFrom(...readCorpus('edge')),
);

const frames = ({ hosts }: Target) =>
  mutationsOf(
    Object.values(hosts).flatMap((host) => rightConversations(host)),
    ['\0\0\0', '\xff\xff\xff', '\x09', '\x01\x04', '\x7f\xff\xff\xff', '\x05', '\0\0\0\x01'],
  );

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

function samples(from: fc.Arbitrary<Buffer>, seed: number, numRuns: number): Buffer[] {
  return fc.sample(from, { seed, numRuns });
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
  open: () => Socket;
  /** What the bytes of a reply say. */
  read: (reply: Buffer) => (number | null)[];
}

async function sendAll(all: readonly Buffer[], way: Way): Promise<Reply[]> {
  const replies: Reply[] = [];
  for (let at = 0; at < all.length; at += AT_ONCE) {
    replies.push(...(await Promise.all(all.slice(at, at + AT_ONCE).map((bytes) => sendOne(bytes, way)))));
  }
  return replies;
}

/** Waits for the end, or until nothing has come for a while. */
function sendOne(sent: Buffer, { open, read }: Way): Promise<Reply> {
  const pieces: Buffer[] = [];
  const socket = open();
  return new Promise((resolve) => {
    socket.on('error', () => {}).on('data', (piece: Buffer) => pieces.push(piece));
    socket.setTimeout(PATIENCE_MS, () => socket.destroy());
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

/** Heads, bodies and handshakes that stop in the middle and then only drip. */
async function holdUnfinished(target: Target): Promise<void> {
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
  const open = sockets.filter(({ closed }) => !closed);
  await Promise.all(open.map((socket) => once(socket.destroy(), 'close')));
}
