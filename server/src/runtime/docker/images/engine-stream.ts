import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

/** One word of the engine about what it is doing. */
export interface EngineEvent {
  stream?: string;
  status?: string;
  error?: string;
  errorDetail?: { code?: number; message?: string };
}

/** What the engine says while it builds, fetches or loads: an object a line. */
export async function* readEvents(stream: NodeJS.ReadableStream): AsyncGenerator<EngineEvent> {
  const source = stream as Readable;
  let failure: Error | undefined;
  source.once('error', (error) => (failure = error));
  for await (const line of createInterface({ input: source, crlfDelay: Infinity })) {
    if (line.trim() !== '') yield JSON.parse(line) as EngineEvent;
  }
  if (failure) throw failure;
  // A connection that breaks off ends without a word.
  if (!source.readableEnded) throw Object.assign(new Error('the engine broke off'), { code: 'ECONNRESET' });
}

/** It did not do what it was asked to; the message is the engine's own. */
export class EngineFailed extends Error {
  /** Of a command that a build ran. */
  readonly exitCode: number | null;

  constructor({ error, errorDetail }: EngineEvent) {
    super(errorDetail?.message ?? error ?? 'no reason is given');
    this.exitCode = errorDetail?.code ?? null;
  }
}
