import type { Socket } from 'node:net';
import type { Access } from '../access-log/access-log.ts';
import type { StaticRequest } from '../static/static-answer.ts';
import type { Counters } from './counters.ts';

/** A request for a file that has to be read first, as it is counted and written down. */
export class StaticVisit {
  readonly #socket: Socket;
  readonly #counters: Counters | null;
  readonly #access: Access | null;
  readonly #startedAtMs = performance.now();
  readonly #before: number;
  #counted: number;
  /** 0 until it is answered. */
  #status = 0;

  constructor(socket: Socket, { counters, access }: Pick<StaticRequest, 'counters' | 'access'>, bytesIn: number) {
    this.#socket = socket;
    this.#counters = counters;
    this.#access = access;
    this.#counted = this.#before = socket.bytesWritten;
    counters?.noteBytes(bytesIn, 0);
  }

  /** Something of the answer is written. */
  get hasBytes(): boolean {
    return this.#socket.bytesWritten !== this.#before;
  }

  /** The answer begins. Once: what fails before a byte is written is answered anew. */
  answer(status: number): void {
    if (this.#status === 0) this.#counters?.noteAnswer(status, performance.now() - this.#startedAtMs);
    this.#status = status;
  }

  /** What was written so far. */
  countBytes(): void {
    const { bytesWritten } = this.#socket;
    this.#counters?.noteBytes(0, bytesWritten - this.#counted);
    this.#counted = bytesWritten;
  }

  /** The request is answered, and the answer written. */
  endWith(status: number): void {
    this.answer(status);
    this.end();
  }

  end(): void {
    this.countBytes();
    if (this.#status === 0) this.#counters?.noteGone(performance.now() - this.#startedAtMs);
    this.#access?.end(this.#status, this.#socket.bytesWritten - this.#before);
  }
}
