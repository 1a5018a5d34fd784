import type { Route } from '../../routing/route.ts';

/** Which environment answers at which subdomain, in memory. */
export class RouteTable {
  readonly #bySubdomain = new Map<string, Route>();
  readonly #byEnvironment = new Map<string, Route>();
  #isKnown = false;
  #beforeLook: () => void = () => {};
  #watcher: (environmentId: string | null) => void = () => {};

  /** False until it was filled for the first time: nothing can be said then of what is not here. */
  get isKnown(): boolean {
    return this.#isKnown;
  }

  get size(): number {
    return this.#byEnvironment.size;
  }

  find(subdomain: string): Route | undefined {
    this.#beforeLook();
    return this.#bySubdomain.get(subdomain);
  }

  ofEnvironment(environmentId: string): Route | undefined {
    return this.#byEnvironment.get(environmentId);
  }

  /** Is called before anybody is answered by what is here. */
  guard(beforeLook: () => void): void {
    this.#beforeLook = beforeLook;
  }

  /** Is told at once whose route has changed; null: any of them may have. */
  watch(watcher: (environmentId: string | null) => void): void {
    this.#watcher = watcher;
  }

  set(route: Route): void {
    this.#put(route);
    this.#watcher(route.environmentId);
  }

  /** Everything there is: what is not among the routes is gone. */
  replaceAll(routes: Iterable<Route>): void {
    this.#bySubdomain.clear();
    this.#byEnvironment.clear();
    for (const route of routes) this.#put(route);
    this.#isKnown = true;
    this.#watcher(null);
  }

  routes(): IterableIterator<Route> {
    return this.#byEnvironment.values();
  }

  #put(route: Route): void {
    this.#remove(route.environmentId);
    if (route.subdomain === null) return;
    this.#byEnvironment.set(route.environmentId, route);
    this.#bySubdomain.set(route.subdomain, route);
  }

  #remove(environmentId: string): void {
    const before = this.#byEnvironment.get(environmentId);
    if (!before) return;
    this.#byEnvironment.delete(environmentId);
    // Another environment may have taken the name since.
    if (this.#bySubdomain.get(before.subdomain!) === before) this.#bySubdomain.delete(before.subdomain!);
  }
}
