/** A client that says nothing for so long while something is under way is asked whether it is there. */
export const ASK_AFTER_MS = 30_000;
/** Whoever speaks HTTP/2 answers that by itself. */
export const ANSWER_WITHIN_MS = 15_000;

/** Whether a client is still there, by what was heard of it. */
export class Liveness {
  #bytes = -1;
  #heardAt = 0;
  #askedAt = Infinity;

  /** To be called now and then with the number of bytes that came so far. `ask`: it is to be asked now. */
  look(now: number, bytes: number): 'there' | 'ask' | 'gone' {
    if (bytes !== this.#bytes) {
      this.#bytes = bytes;
      this.#heardAt = now;
      this.#askedAt = Infinity;
    }
    if (now - this.#askedAt >= ANSWER_WITHIN_MS) return 'gone';
    if (this.#askedAt < Infinity || now - this.#heardAt < ASK_AFTER_MS) return 'there';
    this.#askedAt = now;
    return 'ask';
  }
}
