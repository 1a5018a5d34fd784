import type { Place } from '../instances/gate.ts';

/** A request's place at an instance, and what is to be said when it is given back. */
export class Stay {
  /** What the client was answered; 0 while it was not. */
  status = 0;
  bytesIn = 0;
  bytesOut = 0;
  place: Place | null = null;
  #startedAtMs = 0;

  begin(bytesIn: number): void {
    this.status = this.bytesOut = 0;
    this.bytesIn = bytesIn;
    this.#startedAtMs = performance.now();
  }

  /** Gives the place back, if there is one: once, however often it is called. */
  end(): void {
    const { place, status, bytesIn, bytesOut } = this;
    this.place = null;
    place?.release({ status, ms: performance.now() - this.#startedAtMs, bytesIn, bytesOut });
  }

  /** Nobody was there: whoever waits is given another place. */
  refuse(): void {
    const { place } = this;
    this.place = null;
    place?.refused();
  }
}
