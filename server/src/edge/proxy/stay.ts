import type { Place } from '../instances/gate.ts';
import type { Access } from '../access-log/access-log.ts';
import type { RequestHead } from '../front/request-head.ts';
import type { Counters } from '../traffic/counters.ts';

/** A request's place at an instance, what is to be said when it is given back, and what is counted of it. */
export class Stay {
  /** What the client was answered; 0 while it was not. */
  status = 0;
  bytesIn = 0;
  bytesOut = 0;
  place: Place | null = null;
  #counters: Counters | null = null;
  #access: Access | null = null;
  /** The bytes of an answer that is the edge's own. */
  #ownBytes = 0;
  #startedAtMs = 0;
  #countedIn = 0;
  #countedOut = 0;

  begin(bytesIn: number, { counters, access }: Pick<RequestHead, 'counters' | 'access'>): void {
    this.status = this.bytesOut = this.#countedIn = this.#countedOut = this.#ownBytes = 0;
    this.bytesIn = bytesIn;
    this.#counters = counters;
    this.#access = access;
    this.#startedAtMs = performance.now();
  }

  /** The instance has begun to answer. */
  hear(status: number): void {
    this.place?.answered();
    this.answer(status);
  }

  /** The client is answered from now on. */
  answer(status: number): void {
    this.status = status;
    this.#counters?.noteAnswer(status, performance.now() - this.#startedAtMs);
  }

  /** What has gone through so far: it may go on for hours. */
  countBytes(): void {
    const bytesIn = this.bytesIn - this.#countedIn;
    const bytesOut = this.bytesOut - this.#countedOut;
    if (bytesIn === 0 && bytesOut === 0) return;
    this.#countedIn += bytesIn;
    this.#countedOut += bytesOut;
    this.#counters?.noteBytes(bytesIn, bytesOut);
  }

  /** Of an answer that is the edge's own: none of the instance's. */
  countOwnBytes(bytesOut: number): void {
    this.#ownBytes = bytesOut;
    this.#counters?.noteBytes(0, bytesOut);
  }

  /** Gives the place back, if there is one: once, however often it is called. */
  end(): void {
    const { place, status, bytesIn, bytesOut } = this;
    this.place = null;
    this.countBytes();
    if (place !== null && this.#access !== null) this.#access.instanceId = place.instanceId;
    if (status !== 0) this.#access?.end(status, bytesOut + this.#ownBytes);
    place?.release({ status, ms: performance.now() - this.#startedAtMs, bytesIn, bytesOut });
  }

  /** Nothing more comes. Who was not answered by now is gone. */
  close(): void {
    this.end();
    if (this.status === 0) {
      this.#counters?.noteGone(performance.now() - this.#startedAtMs);
      this.#access?.end(0, 0);
    }
    this.#counters = this.#access = null;
  }

  /** Nobody was there: whoever waits is given another place. */
  refuse(): void {
    const { place } = this;
    this.place = null;
    place?.refused();
  }
}
