/**
 * Asks at an even pace over kept-alive connections, whether or not the answers come as fast, and prints the
 * 99th percentile of how long they took, in milliseconds: `node paced-load.ts port path host rate seconds`.
 */
import { connect, type Socket } from 'node:net';
import { BROWSER } from '../edge-static/browser.ts';

const [port = '', path = '', host = '', rate = '', seconds = ''] = process.argv.slice(2);
const CONNECTIONS = 50;
const WARM_UP_MS = 500;
/** What a timer may be late by; beyond that, it is the answers that are. */
const LATE_MS = 3;
const request = `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n${BROWSER.map((header) => `${header}\r\n`).join('')}\r\n`;

/** One connection: one request at a time. */
class Line {
  readonly #socket: Socket;
  readonly #took: number[];
  #left = 0;
  #sentAt = 0;
  isFree = true;

  constructor(took: number[]) {
    this.#took = took;
    this.#socket = connect({ port: Number(port), host: '127.0.0.1', noDelay: true });
    this.#socket.on('data', (bytes: Buffer) => this.#take(bytes));
    this.#socket.on('close', () => {
      console.error('A connection was closed.');
      process.exit(1);
    });
  }

  ask(dueAt: number): void {
    this.isFree = false;
    this.#sentAt = dueAt;
    this.#socket.write(request, 'latin1');
  }

  #take(bytes: Buffer): void {
    if (this.#left > 0) this.#left -= bytes.length;
    else {
      const end = bytes.indexOf('\r\n\r\n') + 4;
      const head = bytes.toString('latin1', 0, end);
      if (!head.startsWith('HTTP/1.1 200 ')) throw new Error(head);
      this.#left = Number(/content-length: (\d+)/i.exec(head)![1]) - (bytes.length - end);
    }
    if (this.#left > 0) return;
    this.#took.push(performance.now() - this.#sentAt);
    this.isFree = true;
  }
}

const took: number[] = [];
const lines = Array.from({ length: CONNECTIONS }, () => new Line(took));
const startAt = performance.now();
const endAt = startAt + WARM_UP_MS + Number(seconds) * 1000;
let due = startAt;
let isWarm = false;

function pace(): void {
  const now = performance.now();
  if (!isWarm && now > startAt + WARM_UP_MS) {
    isWarm = true;
    took.length = 0;
  }
  for (; due <= now; due += 1000 / Number(rate)) {
    const free = lines.find((line) => line.isFree);
    // With none free it is asked as soon as one is, and the wait counts.
    if (!free) break;
    free.ask(now - due > LATE_MS ? due : now);
  }
  if (now < endAt) setTimeout(pace, 1);
  else finish();
}

function finish(): void {
  const sorted = took.toSorted((a, b) => a - b);
  process.stdout.write(`${sorted[Math.floor(sorted.length * 0.99)]}\n`);
  process.exit(0);
}

setTimeout(pace, 200);
