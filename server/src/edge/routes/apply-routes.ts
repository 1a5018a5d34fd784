import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from '../../lib/log.ts';
import { artifactOf, type Route } from '../../routing/route.ts';
import type { SiteLibrary } from '../static/site-library.ts';
import type { RouteTable } from './route-table.ts';

/** A change whose release cannot be read holds back what this edge reports, but not for ever. */
const HOLD_BACK_MS = 120_000;
/** What takes longer to be read is held: others need not wait for it, nor those who ask whether this edge lives. */
const READ_WITHIN_MS = 1000;
/** What is held has been under way for a while. */
const LOOK_AGAIN_MS = 50;
/** With more changes than this at a time, releases are read when they are first asked for. */
const MAX_READ_AHEAD = 500;

interface HeldChange {
  route: Route;
  since: number;
  /** Why it cannot be read is in the log. */
  isTold: boolean;
}

/** How far a release is from being served. */
type Reading = 'read' | 'under-way' | { error: unknown };

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
    const readings = await Promise.all(routes.map(async (route) => (readsAhead ? this.#read(route) : 'read')));
    routes.forEach((route, at) => {
      this.#take(route, readings[at]!);
      this.#version = Math.max(this.#version, route.version);
    });
  }

  async retryHeld(): Promise<void> {
    const held = [...this.#held.values()];
    const readings = await Promise.all(held.map(({ route }) => this.#read(route, LOOK_AGAIN_MS)));
    held.forEach(({ route }, at) => this.#take(route, readings[at]!));
  }

  async #read({ target }: Route, withinMs = READ_WITHIN_MS): Promise<Reading> {
    if (target?.kind !== 'static') return 'read';
    const reading = this.#options.sites.prepare(target).then(
      () => 'read' as const,
      (error: unknown) => ({ error }),
    );
    const patience = new AbortController();
    const tooLong = delay(withinMs, 'under-way' as const, { signal: patience.signal }).catch(() => 'read' as const);
    try {
      return await Promise.race([reading, tooLong]);
    } finally {
      patience.abort();
    }
  }

  #take(route: Route, reading: Reading): void {
    const { environmentId, target } = route;
    if (reading === 'read') {
      this.#held.delete(environmentId);
      return this.#options.table.set(route);
    }
    const held = this.#held.get(environmentId);
    const isKnown = held?.route.version === route.version;
    const isTold = isKnown && held.isTold;
    if (!isKnown) this.#held.set(environmentId, { route, since: performance.now(), isTold: false });
    if (reading === 'under-way' || isTold) return;
    this.#held.get(environmentId)!.isTold = true;
    const facts = { err: reading.error, environmentId, artifactId: artifactOf(target) };
    this.#options.log.error(facts, 'A new release cannot be read');
  }
}
