import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { TLSSocket } from 'node:tls';
import { describe, expect, it } from 'vitest';
import type { InstancesTarget } from '../../../routing/route.ts';
import { instancesOf } from '../../instances/testing/gate-rig.ts';
import { startInstance, type Handler } from '../../instances/testing/start-instance.ts';
import { APP, startSecureEdge } from '../testing/start-secure-edge.ts';

const PREFACE = 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n';
const [DATA, HEADERS, PRIORITY, RST_STREAM, SETTINGS] = [0, 1, 2, 3, 4];
const [PING, WINDOW_UPDATE, CONTINUATION] = [6, 8, 9];
const [END_STREAM, END_HEADERS] = [1, 4];
const [MANY, AT_ONCE] = [20_000, 200];

interface Frame {
  flags?: number;
  stream?: number;
  content?: Buffer;
}

function frame(kind: number, { flags = 0, stream = 0, content = Buffer.alloc(0) }: Frame = {}): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(content.length, 0, 3);
  head[3] = kind;
  head[4] = flags;
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, content]);
}

/** `:method GET`, `:scheme https`, `:path /`, and an authority. */
const getHeaders = Buffer.concat([Buffer.from([0x82, 0x87, 0x84, 0x41, APP.length]), Buffer.from(APP)]);
const four = (value: number): Buffer =>
  Buffer.from([value >>> 24, value >>> 16, value >>> 8, value].map((n) => n & 255));
const get = (stream: number, flags = END_STREAM | END_HEADERS) =>
  frame(HEADERS, { flags, stream, content: getHeaders });

/** Sends one after the other as fast as they are taken. Whether the edge put an end to it. */
async function flood(socket: TLSSocket, frames: (count: number) => Buffer): Promise<boolean> {
  socket.resume();
  socket.write(Buffer.concat([Buffer.from(PREFACE), frame(SETTINGS)]));
  for (let sent = 0; sent < MANY && !socket.destroyed; sent += AT_ONCE) {
    socket.write(Buffer.concat(Array.from({ length: AT_ONCE }, (_, at) => frames(sent + at))));
    do await new Promise(setImmediate);
    while (socket.writableNeedDrain && !socket.destroyed);
  }
  return socket.destroyed;
}

/** Of every request its own stream. */
const streamOf = (count: number): number => count * 2 + 1;
const inStream = (count: number, kind: number, content: Buffer) =>
  Buffer.concat([get(streamOf(count)), frame(kind, { stream: streamOf(count), content })]);
const afterHead = (flags: number, next: Buffer) => (count: number) => (count === 0 ? get(1, flags) : next);

const floods: Record<string, (count: number) => Buffer> = {
  'questions whether we are there': () => frame(PING, { content: Buffer.alloc(8) }),
  settings: () => frame(SETTINGS, { content: Buffer.from([0, 4, 0, 1, 0, 0]) }),
  requests: (count) => get(streamOf(count)),
  'requests that it takes back': (count) => inStream(count, RST_STREAM, four(8)),
  'requests that it breaks': (count) => inStream(count, WINDOW_UPDATE, four(0)),
  'parts of one head': afterHead(END_STREAM, frame(CONTINUATION, { stream: 1, content: Buffer.from('\0\x01a\x01a') })),
  'empty parts of one head': afterHead(END_STREAM, frame(CONTINUATION, { stream: 1 })),
  'empty parts of a body': afterHead(END_HEADERS, frame(DATA, { stream: 1 })),
  priorities: () => frame(PRIORITY, { stream: 1, content: Buffer.from([0, 0, 0, 0, 1]) }),
};

/** What is answered before all of it is here is not listened to any more, and does no harm: so nothing is. */
const answerWhole: Handler = (request, response) => request.resume().once('end', () => response.end('home'));

describe('an edge sends a client away, and goes on serving others, that sends without end', () => {
  it.each(Object.entries(floods))('%s', async (_what, frames) => {
    const { address } = await startInstance('ins_1', answerWhole);
    const target: InstancesTarget = { ...instancesOf([], { concurrency: 500 }), instances: [address] };
    const edge = await startSecureEdge(null, { route: { target } });
    const other = await edge.session(APP, '127.0.0.2');
    const socket = await edge.shake(APP, { ALPNProtocols: ['h2'] });
    const ended = flood(socket, frames);
    for (let count = 0; count < 5; count++) expect((await other.get()).status).toBe(200);
    // Who breaks the protocol is heard no more at once, and is away a moment later.
    if (!(await ended)) await Promise.race([once(socket, 'close'), delay(5000)]);
    expect(socket.destroyed).toBe(true);
    expect(await other.get()).toMatchObject({ status: 200, body: 'home' });
  });

  it('but not one that tells us often how much it can take', async () => {
    const edge = await startSecureEdge();
    const socket = await edge.shake(APP, { ALPNProtocols: ['h2'] });
    expect(await flood(socket, () => frame(WINDOW_UPDATE, { content: four(1) }))).toBe(false);
    expect((await (await edge.session()).get()).status).toBe(200);
  });
});
