import { parentPort, receiveMessageOnPort, workerData, type MessagePort } from 'node:worker_threads';
import { pgDump } from '@electric-sql/pglite-tools/pg_dump';
import { failureOfDump } from './dump-failure.ts';
import { createReplyReader } from './reply-reader.ts';
import { createRequestReader } from './request-reader.ts';

/**
 * A thread that runs the `pg_dump` which npm brings. That one asks and wants its answer in the same breath, so the
 * thread stands still until the other one has brought it from the server.
 */
export interface WasmDumpWants {
  args: string[];
  /** Counts what has arrived at `server`. */
  arrivals: Int32Array<SharedArrayBuffer>;
  /** What the server says comes in here; null: it has gone. */
  server: MessagePort;
}

export type WasmDumpResult = { text: string } | { error: string };

const { args, arrivals, server } = workerData as WasmDumpWants;
const requests = createRequestReader();
const replies = createReplyReader();

const connection = {
  query: () => Promise.resolve({ rows: [{ search_path: '' }] }),
  exec: () => Promise.resolve(),
  execProtocolRawStream(bytes: Uint8Array, { onRawData }: { onRawData: (bytes: Uint8Array) => void }): void {
    const request = Buffer.from(bytes);
    server.postMessage(request, []);
    if (!requests.push(request)) return;
    while (!replies.isSettled()) {
      const arrived = nextArrival();
      if (!arrived) break;
      replies.push(arrived);
    }
    onRawData(replies.take());
  },
};

function nextArrival(): Uint8Array | null {
  for (;;) {
    const count = Atomics.load(arrivals, 0);
    const arrived = receiveMessageOnPort(server);
    if (arrived) return arrived.message as Uint8Array | null;
    Atomics.wait(arrivals, 0, count);
  }
}

keepRestrictLines();
parentPort!.postMessage(await dump(), []);

async function dump(): Promise<WasmDumpResult> {
  try {
    const file = await pgDump({ pg: connection as unknown as Parameters<typeof pgDump>[0]['pg'], args });
    return { text: await file.text() };
  } catch (error) {
    return { error: failureOfDump(error instanceof Error ? error.message : String(error)) };
  }
}

/**
 * The package takes every line out that begins with `\restrict`, also where it is a line of somebody's function. This
 * thread has its own `String`, and nothing else runs in it.
 */
function keepRestrictLines(): void {
  const replace = Reflect.get(String.prototype, 'replace') as (
    this: string,
    pattern: string | RegExp,
    by: string,
  ) => string;
  // oxlint-disable-next-line no-extend-native -- there is no other way between the program and what we are given of it
  Object.defineProperty(String.prototype, 'replace', {
    value(this: string, pattern: string | RegExp, by: string) {
      const isThatOne = pattern instanceof RegExp && pattern.source.includes('restrict');
      return isThatOne ? this : replace.call(this, pattern, by);
    },
  });
}
