import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { MessageChannel, Worker, type MessagePort } from 'node:worker_threads';
import { OutputTooLong } from '../../../lib/exec.ts';
import { EngineRefused } from '../../engine.ts';
import { boundBytes } from '../../explore/bound-bytes.ts';
import type { SchemaLimits } from './dump-schema.ts';
import type { WasmDumpResult, WasmDumpWants } from './wasm-dump-thread.ts';

/** The series of the `pg_dump` that npm brings; it knows servers of this one and of older ones. */
export const WASM_SERIES = 18;

const program = new URL('./wasm-dump-thread.ts', import.meta.url);

export interface WasmDump {
  /** The server's home, with its socket. */
  home: string;
  port: number;
  args: string[];
  limits: SchemaLimits;
  signal: AbortSignal;
}

/**
 * Of its memory, what a server may tell it: the thread has the memory of this process, and what it is told may be there
 * several times.
 */
const TOLD_PART = 1 / 4;

/** Runs npm's `pg_dump` in a thread of its own, and brings its words to the server's socket and back. */
export async function wasmDump({ home, port, args, limits, signal }: WasmDump): Promise<string> {
  signal.throwIfAborted();
  const arrivals = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  const { port1: thread, port2: server } = new MessageChannel();
  const socket = connectTo(home, port);
  let isTooMuch = false;
  boundBytes(socket, { mostBytes: limits.memoryBytes * TOLD_PART, onExceeded: () => (isTooMuch = true) });
  carry(socket, thread, arrivals);
  const wants: WasmDumpWants = { args, arrivals, server };
  const worker = new Worker(program, { workerData: wants, transferList: [server], stdout: true, stderr: true });
  try {
    const result = await resultOf(worker, signal);
    isTooMuch ||= 'text' in result && Buffer.byteLength(result.text) > limits.textBytes;
    if (isTooMuch) throw new OutputTooLong(`pg_dump wrote more than ${limits.textBytes} bytes, or was told too much`);
    if ('error' in result) throw new EngineRefused(result.error);
    return result.text;
  } finally {
    socket.destroy();
    thread.close();
    await worker.terminate();
  }
}

async function resultOf(worker: Worker, signal: AbortSignal): Promise<WasmDumpResult> {
  const told = once(worker, 'message', { signal }) as Promise<[WasmDumpResult]>;
  const ended = once(worker, 'exit', { signal }).then((): [WasmDumpResult] => [{ error: 'pg_dump ended early.' }]);
  ended.catch(() => {});
  const [result] = await Promise.race([told, ended]);
  return result;
}

function connectTo(home: string, port: number): Socket {
  // A path to a socket may have 107 bytes at most; by way of the opened folder it always is short.
  const folder = openSync(home, 'r');
  try {
    return connect(`/proc/self/fd/${folder}/.s.PGSQL.${port}`);
  } finally {
    closeSync(folder);
  }
}

function carry(socket: Socket, thread: MessagePort, arrivals: Int32Array): void {
  const bring = (piece: Buffer | null) => {
    thread.postMessage(piece, []);
    Atomics.add(arrivals, 0, 1);
    Atomics.notify(arrivals, 0);
  };
  socket.on('data', bring);
  socket.on('error', () => {});
  socket.once('close', () => bring(null));
  thread.on('message', (request: Uint8Array) => socket.write(request));
}
