import type { Demand, EdgeLoad } from '../../routing/edge-load.ts';
import type { EdgeReport } from '../../routing/route-store.ts';

/** A report is written once a second: what was told at once before that is in it by then. */
const DEMAND_HOLDS_MS = 1500;
/** Reports are read once a second: after such a pause the store was away, and edges could not report either. */
const PAUSE_MS = 3000;

/** What all edges have to do, by their last reports and by what they told at once since. */
export class LoadBoard {
  /** False until the first reports were read: who is not known to be idle is not taken for idle. */
  isKnown = false;
  readonly #returnMs: number;
  /** All that did not stop in order: also those that may be gone. */
  #edges: ReadonlyMap<string, EdgeReport> = new Map();
  #living: ReadonlyMap<string, EdgeReport> = new Map();
  #readAtMs = 0;
  /** From then on, who has not reported is gone. */
  #sureAtMs = Infinity;
  readonly #demands = new Map<string, Demand & { atMs: number }>();
  readonly #requests = new Map<string, number>();

  /** `returnMs`: within this time every edge that lives has reported, once it can. */
  constructor({ returnMs }: { returnMs: number }) {
    this.#returnMs = returnMs;
  }

  replace(edges: ReadonlyMap<string, EdgeReport>, nowMs: number): void {
    // What a new edge has counted so far was counted before anybody looked.
    for (const [edge, { load }] of edges) if (!this.#edges.has(edge)) this.#countFrom(edge, load);
    const living = new Map([...edges].filter(([, { isOverdue }]) => !isOverdue));
    const isResumed = !this.isKnown || Math.abs(nowMs - this.#readAtMs) > PAUSE_MS;
    const isDeserted = living.size === 0 && this.#living.size > 0;
    if (isResumed || isDeserted) this.#sureAtMs = nowMs + this.#returnMs;
    [this.#edges, this.#living, this.#readAtMs, this.isKnown] = [edges, living, nowMs, true];
    for (const [key, { atMs }] of this.#demands) if (nowMs - atMs > DEMAND_HOLDS_MS) this.#demands.delete(key);
  }

  /** What was read last. */
  reports(): ReadonlyMap<string, EdgeReport> {
    return this.#edges;
  }

  note(demand: Demand, nowMs: number): void {
    this.#demands.set(`${demand.environmentId} ${demand.edge}`, { ...demand, atMs: nowMs });
  }

  /** Whether what no edge asks for is not needed: they could report it, and would have. */
  isSure(nowMs: number): boolean {
    return this.#hasHeardAll && nowMs - this.#readAtMs <= PAUSE_MS;
  }

  loadOf(environmentId: string): { inFlight: number; waiting: number } {
    let [inFlight, waiting] = [0, 0];
    for (const edge of new Set([...this.#living.keys(), ...this.#demandingEdges(environmentId)])) {
      const reported = this.#living.get(edge)?.load.environments[environmentId];
      const told = this.#demands.get(`${environmentId} ${edge}`);
      inFlight += Math.max(reported?.inFlight ?? 0, told?.inFlight ?? 0);
      waiting += Math.max(reported?.waiting ?? 0, told?.waiting ?? 0);
    }
    return { inFlight, waiting };
  }

  /** Environments of which an edge holds requests. */
  *waitedFor(): Generator<string> {
    for (const { load } of this.#living.values()) {
      for (const [id, { waiting }] of Object.entries(load.environments)) if (waiting > 0) yield id;
    }
  }

  /** Whether an edge has counted a request of the environment since this was last asked. */
  takeNewRequests(environmentId: string): boolean {
    let hasNew = false;
    for (const [edge, { load }] of this.#living) {
      const requests = load.environments[environmentId]?.requests;
      const key = `${environmentId} ${edge}`;
      if (requests === undefined || requests === this.#requests.get(key)) continue;
      hasNew = true;
      this.#requests.set(key, requests);
    }
    return hasNew;
  }

  /** Whether every edge serves by the version. That there is none is believed when none has come back in time. */
  hasReached(version: number): boolean {
    const edges = this.#expected();
    return (this.#hasHeardAll || edges.length > 0) && edges.every((edge) => edge.version >= version);
  }

  /** Edges that were silent, and have not come back although they could. */
  gone(): string[] {
    return this.#hasHeardAll ? [...this.#edges.keys()].filter((edge) => !this.#living.has(edge)) : [];
  }

  /** Requests and tunnels at an instance, over all edges. */
  busyAt(instanceId: string): number {
    return this.#expected().reduce((sum, { load }) => sum + (load.instances[instanceId] ?? 0), 0);
  }

  /** Requests in a row that the instance took and never began to answer, at the edge that has most of them. */
  silentAt(instanceId: string): number {
    return Math.max(0, ...[...this.#living.values()].map(({ load }) => load.silent[instanceId] ?? 0));
  }

  forget(environmentId: string): void {
    for (const map of [this.#demands, this.#requests]) {
      for (const key of map.keys()) if (key.startsWith(`${environmentId} `)) map.delete(key);
    }
  }

  get #hasHeardAll(): boolean {
    return this.#readAtMs >= this.#sureAtMs;
  }

  /** Those that live, and those that may be found to. */
  #expected(): EdgeReport[] {
    return [...(this.#hasHeardAll ? this.#living : this.#edges).values()];
  }

  #countFrom(edge: string, load: EdgeLoad): void {
    for (const [id, { requests }] of Object.entries(load.environments)) this.#requests.set(`${id} ${edge}`, requests);
  }

  *#demandingEdges(environmentId: string): Generator<string> {
    for (const demand of this.#demands.values()) if (demand.environmentId === environmentId) yield demand.edge;
  }
}
