import { createHash, randomBytes } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { HOST } from './start-proxy.ts';

const GUID = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';

export interface Frame {
  opcode: number;
  payload: Buffer;
}

/** A server that gives every WebSocket to the caller, by the handshake of RFC 6455. */
export function webSocketInstance(onSocket: (socket: Duplex, frames: FrameReader) => void): Server {
  const server = createServer((_request, response) => response.end('no socket'));
  server.on('upgrade', (request, socket, head) => {
    const accept = createHash('sha1').update(`${request.headers['sec-websocket-key']}${GUID}`).digest('base64');
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
    );
    socket.on('error', () => {});
    socket.on('end', () => socket.end());
    const frames = new FrameReader(socket);
    if (head.length > 0) frames.take(head);
    onSocket(socket, frames);
  });
  return server;
}

export function handshake(path = '/'): string {
  const key = randomBytes(16).toString('base64');
  return `GET ${path} HTTP/1.1\r\n${HOST}Connection: keep-alive, Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${key}\r\n\r\n`;
}

/** A client's frames are masked, a server's are not. */
export function frame(payload: Buffer | string, { opcode = 1, isMasked = false } = {}): Buffer {
  const data = Buffer.from(payload);
  const mask = isMasked ? randomBytes(4) : Buffer.alloc(0);
  const length =
    data.length < 126
      ? Buffer.from([data.length])
      : data.length < 65_536
        ? Buffer.from([126, data.length >> 8, data.length & 255])
        : Buffer.concat([Buffer.from([127, 0, 0, 0, 0]), uint32(data.length)]);
  if (isMasked) {
    length[0]! |= 0x80;
    data.forEach((byte, at) => (data[at] = byte ^ mask[at % 4]!));
  }
  return Buffer.concat([Buffer.from([0x80 | opcode]), length, mask, data]);
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

/** The frames that come on a socket, whole. */
export class FrameReader {
  readonly frames: Frame[] = [];
  onFrame: (frame: Frame) => void = () => {};
  #bytes = Buffer.alloc(0);

  constructor(socket: Duplex | Socket) {
    socket.on('data', (bytes: Buffer) => this.take(bytes));
  }

  take(bytes: Buffer): void {
    this.#bytes = Buffer.concat([this.#bytes, bytes]);
    for (let one = this.#next(); one !== null; one = this.#next()) {
      this.frames.push(one);
      this.onFrame(one);
    }
  }

  #next(): Frame | null {
    const bytes = this.#bytes;
    if (bytes.length < 2) return null;
    const short = bytes[1]! & 127;
    const lengthEnd = 2 + (short === 126 ? 2 : short === 127 ? 8 : 0);
    const start = lengthEnd + (bytes[1]! & 128 ? 4 : 0);
    if (bytes.length < start) return null;
    const length = short === 126 ? bytes.readUInt16BE(2) : short === 127 ? Number(bytes.readBigUInt64BE(2)) : short;
    if (bytes.length < start + length) return null;
    const payload = Buffer.from(bytes.subarray(start, start + length));
    if (start > lengthEnd) payload.forEach((byte, at) => (payload[at] = byte ^ bytes[lengthEnd + (at % 4)]!));
    this.#bytes = bytes.subarray(start + length);
    return { opcode: bytes[0]! & 15, payload };
  }
}
