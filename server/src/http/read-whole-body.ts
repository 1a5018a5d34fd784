import type { Readable } from 'node:stream';
import { Fault, invalid } from '../lib/fault.ts';

const MIB = 1024 * 1024;

export interface BodyLimits {
  maxBytes: number;
  /** Of all that are being read. */
  maxBytesAtOnce: number;
  /** And of those of one client. */
  maxBytesOfClient: number;
  /** A body that has not come by then is not waited for any longer. */
  patienceMs: number;
}

export interface BodySource {
  client: string;
  /** 0 when it is not said. */
  announcedBytes: number;
}

interface Reading {
  client: string;
  bytes: number;
  stop: (why: Fault) => void;
}

const overtaken = () => new Fault('SV002', undefined, { retryAfterSeconds: 5 });

/**
 * Reads bodies as the bytes they are. What is in memory of all of them together has a limit too, and so has each
 * client's part. When it is reached, whoever has taken the longest must go: who sends in earnest is done in a moment,
 * so nobody keeps the others out by sending nearly all and then nothing.
 */
export function createBodyReader({ maxBytes, maxBytesAtOnce, maxBytesOfClient, patienceMs }: BodyLimits) {
  /** In the order they began. */
  const readings = new Set<Reading>();
  const ofClients = new Map<string, number>();
  let held = 0;

  function account({ client }: Reading, bytes: number): void {
    held += bytes;
    const left = (ofClients.get(client) ?? 0) + bytes;
    if (left > 0) ofClients.set(client, left);
    else ofClients.delete(client);
  }

  function makeRoom({ client }: Reading): void {
    for (const each of readings) {
      const isClientFull = (ofClients.get(client) ?? 0) > maxBytesOfClient;
      if (!isClientFull && held <= maxBytesAtOnce) return;
      if (each.bytes > 0 && (!isClientFull || each.client === client)) each.stop(overtaken());
    }
  }

  return async (body: Readable, { client, announcedBytes }: BodySource): Promise<Buffer> => {
    const tooLarge = () => new Fault('LM001', `The body is larger than ${maxBytes / MIB} MiB.`);
    if (announcedBytes > maxBytes) throw tooLarge();
    const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
    let chunks: Buffer[] = [];
    const end = (settle: () => void): void => {
      if (!readings.delete(reading)) return;
      clearTimeout(timer);
      account(reading, -reading.bytes);
      settle();
      chunks = [];
    };
    const reading: Reading = { client, bytes: 0, stop: (why) => end(() => reject(why)) };
    const timer = setTimeout(() => reading.stop(invalid('The body took too long to arrive.')), patienceMs);
    const breakOff = () => reading.stop(invalid('The body ended before it was complete.'));
    readings.add(reading);
    // Who is refused is still to read the answer: the connection stays, and what else comes on it is nobody's.
    body.on('data', (chunk: Buffer) => {
      if (!readings.has(reading)) return;
      chunks.push(chunk);
      reading.bytes += chunk.length;
      account(reading, chunk.length);
      if (reading.bytes > maxBytes) reading.stop(tooLarge());
      else makeRoom(reading);
    });
    body.once('end', () => end(() => resolve(Buffer.concat(chunks, reading.bytes))));
    body.on('error', breakOff);
    body.once('close', breakOff);
    return promise;
  };
}
