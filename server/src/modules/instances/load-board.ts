import type { Demand, EdgeLoad } from '../../routing/edge-load.ts';

export interface EdgeReport {
  version: number;
  load: EdgeLoad;
}

/** A report is written once a second: what was told at once before that is in it by then. */
const DEMAND_HOLDS_MS = 1500;

/** What all edges have to do, by their last reports and by what they told at once since. */
export class LoadBoard {
  /** False until the first reports were read: who is not known to be idle is not taken for idle. */
  isKnown = false;
  #edges: ReadonlyMap<string, EdgeReport> = new Map();
  readonly #demands = new Map<string, Demand & { atMs: number }>();
  readonly #requests = new Map<string, number>();

  replace(edges: ReadonlyMap<string, EdgeReport>, nowMs: number): void {
    // What a new edge has counted so far was counted before anybody looked.
    for (const [edge, { load }] of edges) if (!this.#edges.has(edge)) this.#countFrom(edge, load);
    this.#edges = edges;
    this.isKnown = true;
    for (const [key, { atMs }] of this.#demands) if (nowMs - atMs > DEMAND_HOLDS_MS) this.#demands.delete(key);
  }

  note(demand: Demand, nowMs: number): void {
    this.#demands.set(`${demand.environmentId} ${demand.edge}`, { ...demand, atMs: nowMs });
  }

  loadOf(environmentId: string): { inFlight: number; waiting: number } {
    let [inFlight, waiting] = [0, 0];
    for (const edge of new Set([...this.#edges.keys(), ...this.#demandingEdges(environmentId)])) {
      const reported = this.#edges.get(edge)?.load.environments[environmentId];
      const told = this.#demands.get(`${environmentId} ${edge}`);
      inFlight += Math.max(reported?.inFlight ?? 0, told?.inFlight ?? 0);
      waiting += Math.max(reported?.waiting ?? 0, told?.waiting ?? 0);
    }
    return { inFlight, waiting };
  }

  /** Whether an edge has counted a request of the environment since this was last asked. */
  takeNewRequests(environmentId: string): boolean {
    let hasNew = false;
    for (const [edge, { load }] of this.#edges) {
      const requests = load.environments[environmentId]?.requests;
      const key = `${environmentId} ${edge}`;
      if (requests === undefined || requests === this.#requests.get(key)) continue;
      hasNew = true;
      this.#requests.set(key, requests);
    }
    return hasNew;
  }

  /** Whether every living edge serves by the version. */
  hasReached(version: number): boolean {
    return [...this.#edges.values()].every((edge) => edge.version >= version);
  }

  /** Requests and tunnels at an instance, over all edges. */
  busyAt(instanceId: string): number {
    return [...this.#edges.values()].reduce((sum, { load }) => sum + (load.instances[instanceId] ?? 0), 0);
  }

  /** Requests in a row that the instance took and never began to answer, at the edge that has most of them. */
  silentAt(instanceId: string): number {
    return Math.max(0, ...[...this.#edges.values()].map(({ load }) => load.silent[instanceId] ?? 0));
  }

  forget(environmentId: string): void {
    for (const map of [this.#demands, this.#requests]) {
      for (const key of map.keys()) if (key.startsWith(`${environmentId} `)) map.delete(key);
    }
  }

  #countFrom(edge: string, load: EdgeLoad): void {
    for (const [id, { requests }] of Object.entries(load.environments)) this.#requests.set(`${id} ${edge}`, requests);
  }

  *#demandingEdges(environmentId: string): Generator<string> {
    for (const demand of this.#demands.values()) if (demand.environmentId === environmentId) yield demand.edge;
  }
}
