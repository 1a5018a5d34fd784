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

const METHODS: Record<string, number[]> = { GET: [0x82], POST: [0x83] };

/** No field is longer than can be said in one byte. */
const literal = (text: string): Buffer => Buffer.concat([Buffer.of(text.length), Buffer.from(text, 'latin1')]);

interface Asked {
  method?: string;
  path?: string;
  fields?: readonly (readonly [name: string, value: string])[];
  flags?: number;
}

/** The head of a request in one frame: `:method`, `:scheme https`, `:path`, an authority, and further fields. */
export function request(
  stream: number,
  host: string,
  { method = 'GET', path = '/', fields = [], flags = END_STREAM | END_HEADERS }: Asked = {},
): Buffer {
  const content = Buffer.concat([
    METHODS[method] ? Buffer.from(METHODS[method]) : Buffer.concat([Buffer.of(0x02), literal(method)]),
    Buffer.of(0x87),
    path === '/' ? Buffer.of(0x84) : Buffer.concat([Buffer.of(0x04), literal(path)]),
    Buffer.of(0x41),
    literal(host),
    ...fields.flatMap(([name, value]) => [Buffer.of(0), literal(name), literal(value)]),
  ]);
  return frame(HEADERS, { flags, stream, content });
}

function getOf(host: string) {
  return (stream: number, flags = END_STREAM | END_HEADERS) => request(stream, host, { flags });
}

/** 64 KiB of each stream, and no table: the head of every answer can be read by itself. */
const READABLE = Buffer.from([0, 1, 0, 0, 0, 0, 0, 4, 0, 1, 0, 0]);

export function opening(): Buffer {
  const settings = [frame(SETTINGS, { content: READABLE }), frame(SETTINGS, { flags: 1 })];
  return Buffer.concat([Buffer.from(PREFACE), ...settings]);
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

/** Right conversations, for others to spoil: one that ends itself, and two that wait for every answer. */
export function rightConversations(host: string): Buffer[] {
  const post = (stream: number, asked: Asked, body: string) =>
    Buffer.concat([
      request(stream, host, { method: 'POST', flags: END_HEADERS, ...asked }),
      frame(DATA, { flags: END_STREAM, stream, content: Buffer.from(body) }),
    ]);
  return [
    Buffer.concat([
      opening(),
      request(1, host),
      post(3, {}, '{}'),
      frame(WINDOW_UPDATE, { content: four(1000) }),
      frame(PING, { content: Buffer.alloc(8) }),
      frame(RST_STREAM, { stream: 1, content: four(8) }),
      frame(GOAWAY, { content: Buffer.alloc(8) }),
    ]),
    Buffer.concat([
      opening(),
      request(1, host, { path: '/headers', fields: [...FIELDS] }),
      post(3, { path: '/echo', fields: [['content-length', '5']] }, 'hello'),
      request(5, host, { method: 'OPTIONS', path: '*' }),
    ]),
    Buffer.concat([
      opening(),
      post(1, { path: '/echo', fields: [['expect', '100-continue']] }, 'hello'),
      request(3, host, { method: 'HEAD', path: '/index.html' }),
      post(
        5,
        { path: '/.lilac/unlock', fields: [['content-type', 'application/x-www-form-urlencoded']] },
        'password=x',
      ),
    ]),
  ];
}

const FIELDS = [
  ['cookie', 'a=b'],
  ['cookie', '__Host-c=d'],
  ['te', 'trailers'],
  ['range', 'bytes=0-1,2-3'],
  ['accept-encoding', 'gzip;q=0, br'],
  ['x-forwarded-for', '1.1.1.1, 2.2.2.2'],
] as const;
