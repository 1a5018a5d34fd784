interface Entry<Value> {
  value: Value;
  weight: number;
  isUsed: boolean;
}

/**
 * Keeps what was used lately, up to a total weight. A hit costs a lookup and nothing else: what was
 * used since it was last looked at for removal gets a second chance.
 */
export class SecondChanceCache<Value> {
  readonly #maxWeight: number;
  readonly #entries = new Map<string, Entry<Value>>();
  #weight = 0;

  constructor(maxWeight: number) {
    this.#maxWeight = maxWeight;
  }

  get weight(): number {
    return this.#weight;
  }

  get(key: string): Value | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    entry.isUsed = true;
    return entry.value;
  }

  /** What is heavier than all there may be is not kept, unless nothing else is. */
  set(key: string, value: Value, weight: number): void {
    this.delete(key);
    this.#weight += weight;
    this.#entries.set(key, { value, weight, isUsed: false });
    this.#shrink(key);
  }

  delete(key: string): void {
    const entry = this.#entries.get(key);
    if (!entry) return;
    this.#entries.delete(key);
    this.#weight -= entry.weight;
  }

  #shrink(newest: string): void {
    for (const [key, entry] of this.#entries) {
      if (this.#weight <= this.#maxWeight) return;
      if (key === newest && this.#entries.size === 1) return;
      this.#entries.delete(key);
      if (entry.isUsed || key === newest) {
        // Goes to the end, where this loop meets it again only when all others were asked.
        entry.isUsed = false;
        this.#entries.set(key, entry);
      } else {
        this.#weight -= entry.weight;
      }
    }
  }
}
