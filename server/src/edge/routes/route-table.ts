import type { Route } from '../../routing/route.ts';
import { isDomainKey, keyOfDomain, wildcardAbove } from '../address-key.ts';

/** Which environment answers at which subdomain or domain, in memory. */
export class RouteTable {
  readonly #byKey = new Map<string, Route>();
  readonly #byEnvironment = new Map<string, Route>();
  #isKnown = false;
  #beforeLook: () => void = () => {};
  #watcher: (environmentId: string | null) => void = () => {};
  #onNamesLost: () => void = () => {};

  /** False until it was filled for the first time: nothing can be said then of what is not here. */
  get isKnown(): boolean {
    return this.#isKnown;
  }

  get size(): number {
    return this.#byEnvironment.size;
  }

  /** By an address key. A domain that is not there itself may be below one with a star. */
  find(key: string): Route | undefined {
    this.#beforeLook();
    return this.#lookUp(key);
  }

  /** Whose visitors come by this address key; undefined: nobody's, or its subdomain is switched off. */
  environmentAt(key: string): string | undefined {
    const route = this.#lookUp(key);
    return route && (route.atSubdomain || isDomainKey(key)) ? route.environmentId : undefined;
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

  /** Is told at once when an address leads elsewhere than before, or nowhere. */
  watchNames(onNamesLost: () => void): void {
    this.#onNamesLost = onNamesLost;
  }

  set(route: Route): void {
    const keys = [this.#byEnvironment.get(route.environmentId), route].flatMap((one) => (one ? keysOf(one) : []));
    const before = keys.map((key) => this.environmentAt(key));
    this.#put(route);
    this.#watcher(route.environmentId);
    const isLost = keys.some((key, at) => before[at] !== undefined && this.environmentAt(key) !== before[at]);
    if (isLost) this.#onNamesLost();
  }

  /** Everything there is: what is not among the routes is gone. */
  replaceAll(routes: Iterable<Route>): void {
    this.#byKey.clear();
    this.#byEnvironment.clear();
    for (const route of routes) this.#put(route);
    this.#isKnown = true;
    this.#watcher(null);
    this.#onNamesLost();
  }

  routes(): IterableIterator<Route> {
    return this.#byEnvironment.values();
  }

  #put(route: Route): void {
    this.#remove(route.environmentId);
    if (route.subdomain === null) return;
    this.#byEnvironment.set(route.environmentId, route);
    for (const key of keysOf(route)) this.#byKey.set(key, route);
  }

  #remove(environmentId: string): void {
    const before = this.#byEnvironment.get(environmentId);
    if (!before) return;
    this.#byEnvironment.delete(environmentId);
    // Another environment may have taken the name since.
    for (const key of keysOf(before)) if (this.#byKey.get(key) === before) this.#byKey.delete(key);
  }

  #lookUp(key: string): Route | undefined {
    return this.#byKey.get(key) ?? (isDomainKey(key) ? this.#findAbove(key) : undefined);
  }

  #findAbove(key: string): Route | undefined {
    const above = wildcardAbove(key);
    return above === null ? undefined : this.#byKey.get(above);
  }
}

function keysOf({ subdomain, domain }: Route): string[] {
  if (subdomain === null) return [];
  return domain === null ? [subdomain] : [subdomain, keyOfDomain(domain)];
}
