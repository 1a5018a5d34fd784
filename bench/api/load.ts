/**
 * Sends one request again and again over a number of kept-alive connections, one at a time on each, and
 * reports how many were answered and how long they took. Raw sockets: the sender must cost less than the server.
 */
import { connect } from 'node:net';

export interface LoadOrder {
  socket: string;
  /** The bytes of one whole request. */
  request: string;
  durationMs: number;
}

export interface LoadReport {
  answers: number;
  p50Ms: number;
  p99Ms: number;
}

const CONNECTIONS = 32;

process.on('message', (order: LoadOrder) => {
  run(order).then(
    (report) => process.send?.(report),
    (error: unknown) => {
      console.error(error);
      process.exit(1);
    },
  );
});
process.on('disconnect', () => process.exit());

async function run(order: LoadOrder): Promise<LoadReport> {
  const endsAt = performance.now() + order.durationMs;
  const times = (await Promise.all(Array.from({ length: CONNECTIONS }, () => converse(order, endsAt)))).flat();
  times.sort((a, b) => a - b);
  const quantile = (part: number) => times[Math.min(times.length - 1, Math.floor(times.length * part))]!;
  return { answers: times.length, p50Ms: quantile(0.5), p99Ms: quantile(0.99) };
}

/** Resolves with the time of every answer, in milliseconds. */
function converse({ socket: path, request }: LoadOrder, endsAt: number): Promise<number[]> {
  return new Promise((resolve, reject) => {
    const times: number[] = [];
    const socket = connect({ path });
    let received = '';
    let sentAt = 0;
    const send = (): void => {
      sentAt = performance.now();
      socket.write(request);
    };
    socket.setEncoding('latin1');
    socket.on('connect', send);
    socket.on('error', reject);
    socket.on('close', () => resolve(times));
    socket.on('data', (chunk: string) => {
      received += chunk;
      if (!isWhole(received)) return;
      if (!received.startsWith('HTTP/1.1 200 ')) return reject(new Error(received));
      received = '';
      times.push(performance.now() - sentAt);
      if (performance.now() >= endsAt) socket.end();
      else send();
    });
  });
}

function isWhole(text: string): boolean {
  const end = text.indexOf('\r\n\r\n');
  if (end < 0) return false;
  const length = Number(/content-length: (\d+)/i.exec(text.slice(0, end))?.[1]);
  return text.length >= end + 4 + length;
}
