/** A pause that can be cut short; a ring while nobody waits is for the next who does. */
export class Alarm {
  #hasRung = false;
  #wake: (() => void) | null = null;

  ring(): void {
    this.#hasRung = true;
    this.#wake?.();
  }

  async wait(timeoutMs: number): Promise<void> {
    if (!this.#hasRung) await this.#pause(timeoutMs);
    this.#hasRung = false;
  }

  #pause(timeoutMs: number): Promise<void> {
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer);
        this.#wake = null;
        resolve();
      };
      const timer = setTimeout(end, timeoutMs);
      this.#wake = end;
    });
  }
}
