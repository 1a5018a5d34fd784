/**
 * Asks each of several servers in turn, at an even pace over kept-alive connections, whether or not the
 * answers come as fast. Prints the 99th percentile of how long they took in each turn, in milliseconds, as
 * JSON, a list for each port: `node paced-load.ts ports path host rate turns`.
 */
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { BROWSER } from '../edge-static/browser.ts';

const [ports = '', path = '', host = '', rate = '', turns = ''] = process.argv.slice(2);
const CONNECTIONS = 50;
const TURN_MS = 400;
const PAUSE_MS = 20;
const WARM_UP_TURNS = 2;
/** What a timer may be late by; beyond that, it is the answers that are. */
const LATE_MS = 3;
const request = Buffer.from(
  `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n${BROWSER.map((header) => `${header}\r\n`).join('')}\r\n`,
);
const readInto = Buffer.allocUnsafe(256 * 1024);

/** A server, and the lines to it. */
class Server {
  readonly #free: Line[];
  took: number[] = [];
  /** Head and body together: the same each time, so that only the first answer is looked into. */
  answerBytes = 0;

  constructor(port: number) {
    this.#free = Array.from({ length: CONNECTIONS }, () => new Line(this, port));
  }

  /** Resolves when all that was asked is answered. */
  async takeTurn(): Promise<number[]> {
    this.took = [];
    const startAt = performance.now();
    let due = startAt;
    let asked = 0;
    for (let now = startAt; now < startAt + TURN_MS; now = performance.now()) {
      // With none free it is asked as soon as one is, and the wait counts.
      for (; due <= now && this.#free.length > 0; due += 1000 / Number(rate)) {
        this.#free.shift()!.ask(now - due > LATE_MS ? due : now);
        asked++;
      }
      await delay(1);
    }
    while (this.took.length < asked) await delay(1);
    return this.took;
  }

  note(line: Line, ms: number): void {
    this.took.push(ms);
    this.#free.push(line);
  }
}

/** One connection: one request at a time. */
class Line {
  readonly #server: Server;
  readonly #socket: Socket;
  #received = 0;
  #sentAt = 0;

  constructor(server: Server, port: number) {
    this.#server = server;
    const callback = (size: number) => this.#take(size);
    this.#socket = connect({ port, host: '127.0.0.1', noDelay: true, onread: { buffer: readInto, callback } });
    this.#socket.on('close', () => {
      console.error('A connection was closed.');
      process.exit(1);
    });
  }

  ask(dueAt: number): void {
    this.#sentAt = dueAt;
    this.#received = 0;
    this.#socket.write(request);
  }

  #take(size: number): boolean {
    this.#received += size;
    this.#server.answerBytes ||= measureAnswer(readInto.toString('latin1', 0, size));
    if (this.#received >= this.#server.answerBytes) this.#server.note(this, performance.now() - this.#sentAt);
    return true;
  }
}

function measureAnswer(text: string): number {
  const head = text.slice(0, text.indexOf('\r\n\r\n') + 4);
  if (!head.startsWith('HTTP/1.1 200 ')) throw new Error(text);
  return head.length + Number(/content-length: (\d+)/i.exec(head)![1]);
}

function p99(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.99)]!;
}

const servers = ports.split(',').map((port) => new Server(Number(port)));
const results = servers.map((): number[] => []);
await delay(200);
for (let turn = -WARM_UP_TURNS; turn < Number(turns); turn++) {
  for (const [at, server] of servers.entries()) {
    const took = await server.takeTurn();
    if (turn >= 0) results[at]!.push(p99(took));
    await delay(PAUSE_MS);
  }
}
process.stdout.write(JSON.stringify(results));
process.exit(0);
