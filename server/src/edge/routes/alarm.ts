/** A pause that can be cut short; a ring while nobody waits is for the next who does. */
export class Alarm {
  #hasRung = false;
  #wake: (() => void) | null = null;

  ring(): void {
    this.#hasRung = true;
    this.#wake?.();
  }

  /** True when it was cut short. */
  async wait(timeoutMs: number): Promise<boolean> {
    if (!this.#hasRung) await this.#pause(timeoutMs);
    const hasRung = this.#hasRung;
    this.#hasRung = false;
    return hasRung;
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
