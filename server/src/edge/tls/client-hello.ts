/** What a client asks for before anything is secret (RFC 8446, 4.1.2; the same bytes since TLS 1.0). */
export interface ClientHello {
  /** As it was written; undefined: it names nobody (RFC 6066, 3). */
  servername: string | undefined;
}

const RECORD_HEAD_BYTES = 5;
const HANDSHAKE_RECORD = 22;
const LONGEST_RECORD_BYTES = 16_384;
const MESSAGE_HEAD_BYTES = 4;
const CLIENT_HELLO = 1;
const VERSION_AND_RANDOM_BYTES = 34;
const SERVER_NAME = 0;
const HOST_NAME = 0;
/** Those of browsers have some two thousand bytes; one that brings many old sessions has more. */
const MAX_HELLO_BYTES = 32_768;

/** Reads the first bytes of a connection. */
export function readClientHello(bytes: Buffer): ClientHello | 'incomplete' | 'malformed' {
  if (bytes.length > MAX_HELLO_BYTES) return 'malformed';
  const message = messageIn(bytes);
  if (!Buffer.isBuffer(message)) return message;
  try {
    return { servername: servernameIn(new Fields(message)) };
  } catch {
    return 'malformed';
  }
}

/** One message may come in several records. */
function messageIn(bytes: Buffer): Buffer | 'incomplete' | 'malformed' {
  const parts: Buffer[] = [];
  for (let at = 0; at < bytes.length;) {
    if (bytes[at] !== HANDSHAKE_RECORD) return 'malformed';
    if (bytes.length - at < RECORD_HEAD_BYTES) return 'incomplete';
    const length = bytes.readUInt16BE(at + 3);
    if (bytes[at + 1] !== 3 || length === 0 || length > LONGEST_RECORD_BYTES) return 'malformed';
    at += RECORD_HEAD_BYTES + length;
    parts.push(bytes.subarray(at - length, at));
    const message = wholeMessage(parts.length === 1 ? parts[0]! : Buffer.concat(parts));
    if (message !== 'incomplete') return message;
  }
  return 'incomplete';
}

function wholeMessage(bytes: Buffer): Buffer | 'incomplete' | 'malformed' {
  if (bytes.length > 0 && bytes[0] !== CLIENT_HELLO) return 'malformed';
  if (bytes.length < MESSAGE_HEAD_BYTES) return 'incomplete';
  const end = MESSAGE_HEAD_BYTES + bytes.readUIntBE(1, 3);
  if (end > MAX_HELLO_BYTES) return 'malformed';
  return bytes.length < end ? 'incomplete' : bytes.subarray(MESSAGE_HEAD_BYTES, end);
}

function servernameIn(hello: Fields): string | undefined {
  hello.take(VERSION_AND_RANDOM_BYTES);
  // An older session's id, ciphers, compressions.
  for (const lengthBytes of [1, 2, 1]) hello.takeVector(lengthBytes);
  if (hello.isOver) return undefined;
  const extensions = new Fields(hello.takeVector(2));
  while (!extensions.isOver) {
    const kind = extensions.takeNumber(2);
    const content = extensions.takeVector(2);
    if (kind === SERVER_NAME) return firstNameIn(content);
  }
  return undefined;
}

/** The extension never has more than one name. */
function firstNameIn(extension: Buffer): string {
  const list = new Fields(new Fields(extension).takeVector(2));
  if (list.takeNumber(1) !== HOST_NAME) throw new RangeError('not a host name');
  return list.takeVector(2).toString('latin1');
}

/** Throws when there are fewer bytes than are asked for. */
class Fields {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get isOver(): boolean {
    return this.#at === this.#bytes.length;
  }

  take(length: number): Buffer {
    const from = this.#at;
    this.#at += length;
    if (this.#at > this.#bytes.length) throw new RangeError('it ends too soon');
    return this.#bytes.subarray(from, this.#at);
  }

  takeNumber(length: number): number {
    return this.take(length).readUIntBE(0, length);
  }

  takeVector(lengthBytes: number): Buffer {
    return this.take(this.takeNumber(lengthBytes));
  }
}
