import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import fc from 'fast-check';
import { flood, floodsOf, rightFrames } from '../server/src/edge/tls/http2/testing/floods.ts';
import { mutationsOf, readCorpus } from '../server/src/testing/fuzz-settings.ts';

export interface Target {
  port: number;
  tlsPort: number;
  /** Of a site that is served. */
  host: string;
}

/** What came back for some bytes, as far as anything did. */
export interface Reply {
  sent: Buffer;
  text: string;
}

type Attack = (target: Target, seed: number) => Promise<Reply[]>;

const AT_ONCE = 20;
/** Whoever has said all there is to say and is not sent away goes by himself. */
const PATIENCE_MS = 250;

/** Each is made of a seed, and ends with every connection closed. */
export const attacks: Record<string, Attack> = {
  'requests that are nearly right': (target, seed) =>
    sendAll(samples(requests(target), seed, 200), () => plain(target)),
  'rubbish in the place of a handshake': (target, seed) =>
    sendAll(samples(rubbish, seed, 100), () => connect(target.tlsPort, '127.0.0.1')),
  'frames of HTTP/2 that are nearly right': (target, seed) =>
    sendAll(samples(frames(target), seed, 100), () => secure(target)),
  'floods of HTTP/2': async (target) => {
    for (const each of Object.values(floodsOf(target.host))) await floodWith(target, each);
    return [];
  },
  'heads without end': (target) => sendAll(headFloods, () => plain(target)),
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

function requests({ host }: Target): fc.Arbitrary<Buffer> {
  const corpus = readCorpus('edge').map((bytes) =>
    Buffer.from(bytes.toString('latin1').replaceAll('site.localhost', host), 'latin1'),
  );
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

const frames = ({ host }: Target) =>
  mutationsOf(
    [rightFrames(host)],
    ['\0\0\0', '\xff\xff\xff', '\x09', '\x01\x04', '\x7f\xff\xff\xff', '\x05', '\0\0\0\x01'],
  );

const headFloods = [
  Buffer.from(`GET / HTTP/1.1\r\nHost: localhost\r\nX: ${'x'.repeat(1_000_000)}`),
  Buffer.from(`GET /${'a'.repeat(1_000_000)} HTTP/1.1\r\n`),
  Buffer.from(`GET / HTTP/1.1\r\nHost: localhost\r\n${'X: y\r\n'.repeat(100_000)}\r\n`),
  Buffer.from(`POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n1;${'x'.repeat(1_000_000)}`),
  Buffer.from(
    `POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n${'X: y\r\n'.repeat(100_000)}`,
  ),
];

function samples(from: fc.Arbitrary<Buffer>, seed: number, numRuns: number): Buffer[] {
  return fc.sample(from, { seed, numRuns });
}

const plain = ({ port }: Target): Socket => connect(port, '127.0.0.1');

function secure({ tlsPort, host }: Target): TLSSocket {
  return connectTls({
    host: '127.0.0.1',
    port: tlsPort,
    servername: host,
    rejectUnauthorized: false,
    ALPNProtocols: ['h2'],
  });
}

async function sendAll(all: readonly Buffer[], open: () => Socket): Promise<Reply[]> {
  const replies: Reply[] = [];
  for (let at = 0; at < all.length; at += AT_ONCE) {
    replies.push(...(await Promise.all(all.slice(at, at + AT_ONCE).map((bytes) => sendOne(bytes, open())))));
  }
  return replies;
}

/** Waits for the end, or until nothing has come for a while. */
function sendOne(sent: Buffer, socket: Socket): Promise<Reply> {
  const pieces: Buffer[] = [];
  return new Promise((resolve) => {
    socket.on('error', () => {}).on('data', (piece: Buffer) => pieces.push(piece));
    socket.setTimeout(PATIENCE_MS, () => socket.destroy());
    socket.once('close', () => resolve({ sent, text: Buffer.concat(pieces).toString('latin1') }));
    socket.write(sent);
  });
}

/** Whether or not it is sent away; that it is, another test shows. */
async function floodWith(target: Target, each: (count: number) => Buffer): Promise<void> {
  const socket = secure(target);
  socket.on('error', () => {});
  await once(socket, 'secureConnect');
  await Promise.race([flood(socket, each), delay(10_000)]);
  socket.destroy();
}

const MANY = 300;

/** Heads, bodies and handshakes that stop in the middle and then only drip. */
async function holdUnfinished(target: Target): Promise<void> {
  const beginnings = [
    { port: target.port, bytes: 'GET / HTTP/1.1\r\nHost: localhost\r\nX: ' },
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
