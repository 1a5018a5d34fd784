/** What is done to one thing is done one after another; different things do not wait for one another. */
export class OneAtATime {
  readonly #last = new Map<string, Promise<unknown>>();

  run<T>(name: string, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(name) ?? Promise.resolve();
    const result = before.then(work, work);
    const settled = result.catch(() => {});
    this.#last.set(name, settled);
    void settled.finally(() => this.#last.get(name) === settled && this.#last.delete(name));
    return result;
  }
}
