import type { Log } from '../../lib/log.ts';
import { artifactOf, type Route } from '../../routing/route.ts';
import type { SiteLibrary } from '../static/site-library.ts';
import type { RouteTable } from './route-table.ts';

/** A change whose release cannot be read holds back what this edge reports, but not for ever. */
const HOLD_BACK_MS = 120_000;
/** With more changes than this at a time, releases are read when they are first asked for. */
const MAX_READ_AHEAD = 500;

interface HeldChange {
  route: Route;
  since: number;
}

export interface RouteApplierOptions {
  table: RouteTable;
  sites: SiteLibrary;
  log: Log;
}

/** Brings changes into the table: a release is read first, and only then answers. */
export class RouteApplier {
  readonly #options: RouteApplierOptions;
  /** By environment: changes whose release could not be read. Until it can, the old one answers. */
  readonly #held = new Map<string, HeldChange>();
  #version = 0;

  constructor(options: RouteApplierOptions) {
    this.#options = options;
  }

  /** The newest change that was looked at. */
  get readVersion(): number {
    return this.#version;
  }

  /** Up to here everything is served as it was asked for. */
  get servedVersion(): number {
    const holding = [...this.#held.values()].filter(({ since }) => performance.now() - since < HOLD_BACK_MS);
    return Math.min(this.#version, ...holding.map(({ route }) => route.version - 1));
  }

  get hasHeldChanges(): boolean {
    return this.#held.size > 0;
  }

  /** Everything there is, as of a version. On a table that serves already, what is new is read first. */
  async applyAll(routes: readonly Route[]): Promise<void> {
    const { table } = this.#options;
    const newest = routes.at(-1)?.version ?? 0;
    if (!table.isKnown) return this.start(routes, newest);
    const isNew = (route: Route) => table.ofEnvironment(route.environmentId)?.version !== route.version;
    const [changed, same] = [routes.filter(isNew), routes.filter((route) => !isNew(route))];
    // Those that are changing go on as they are until the new release is read.
    const before = changed.flatMap(({ environmentId }) => table.ofEnvironment(environmentId) ?? []);
    table.replaceAll([...before, ...same]);
    this.#held.clear();
    await this.apply(changed);
    this.#version = newest;
  }

  /** Fills the table with what is only looked at when it is asked for. */
  start(routes: readonly Route[], version: number): void {
    this.#options.table.replaceAll(routes);
    this.#version = version;
  }

  /** In the order of their versions. */
  async apply(routes: readonly Route[]): Promise<void> {
    const readsAhead = routes.length <= MAX_READ_AHEAD;
    for (const route of routes) {
      await this.#applyOne(route, readsAhead);
      this.#version = Math.max(this.#version, route.version);
    }
  }

  async retryHeld(): Promise<void> {
    for (const { route } of this.#held.values()) await this.#applyOne(route, true);
  }

  async #applyOne(route: Route, readsAhead: boolean): Promise<void> {
    const { table, sites, log } = this.#options;
    const { environmentId, target } = route;
    try {
      if (target?.kind === 'static' && readsAhead) await sites.load(target);
    } catch (error) {
      const held = this.#held.get(environmentId);
      if (held?.route.version === route.version) return;
      this.#held.set(environmentId, { route, since: performance.now() });
      log.error({ err: error, environmentId, artifactId: artifactOf(target) }, 'A new release cannot be read');
      return;
    }
    this.#held.delete(environmentId);
    table.set(route);
  }
}
