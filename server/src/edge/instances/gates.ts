import type { EdgeLoad, EdgePeers, EnvironmentLoad } from '../../routing/edge-load.ts';
import type { InstanceAddress, InstancesTarget, Route } from '../../routing/route.ts';
import { noSuchApp, nothingDeployed } from '../pages/app-errors.ts';
import type { RouteTable } from '../routes/route-table.ts';
import { EnvironmentGate } from './environment-gate.ts';
import type { GateSignals, GateWorld } from './gate-world.ts';
import { Ticker } from './ticker.ts';
import { tryConnect } from './try-connect.ts';

export interface GatesOptions {
  routes: RouteTable;
  holdMs?: number;
  /** How many requests may wait, at all gates. */
  maxHeld?: number;
  tryConnect?: (address: InstanceAddress) => Promise<boolean>;
}

const HOLD_MS = 30_000;
const MAX_HELD = 5000;
/** An environment is reported for so long after its last request, so that nobody who reads now and then misses one. */
const QUIET_AFTER_MS = 10_000;

/** The gates of one edge. An environment has one from its first request on, as long as it is routed. */
export class Gates {
  readonly #routes: RouteTable;
  readonly #gates = new Map<string, EnvironmentGate>();
  readonly #world: GateWorld;
  #listener: GateSignals | null = null;
  /** By environment: how many requests it had when that was last looked at, and until when it is reported. */
  readonly #lively = new Map<string, { requests: number; untilMs: number }>();

  constructor(options: GatesOptions) {
    this.#routes = options.routes;
    this.#world = {
      ticker: new Ticker(),
      signals: {
        demand: (demand) => this.#listener?.demand(demand),
        drained: (instanceId) => this.#listener?.drained(instanceId),
      },
      holdMs: options.holdMs ?? HOLD_MS,
      held: 0,
      maxHeld: options.maxHeld ?? MAX_HELD,
      edgeCount: 1,
      tryConnect: options.tryConnect ?? tryConnect,
    };
    this.#routes.watch((environmentId) => this.#follow(environmentId));
  }

  /** Requests that wait now. */
  get held(): number {
    return this.#world.held;
  }

  /** Environments that may need more than their part among all edges; none where there is no other edge. */
  tight(): string[] {
    if (this.#world.edgeCount === 1) return [];
    const nowMs = performance.now();
    return [...this.#gates.values()].filter((gate) => gate.isTight(nowMs)).map(({ environmentId }) => environmentId);
  }

  /**
   * Edges that send requests to the same instances take a part each of what an instance may have at a time, so that
   * together they keep the limit: a part among all edges, or, for an environment that needs more, among those that had
   * requests of it lately, since an address may lead to one edge of many. Whoever joins them begins with its part
   * among all and waits for nobody, so that the limit is passed by less than as much again, until all of them have
   * reported. With more edges than places, each has one.
   */
  shareAmong({ edges, visited }: EdgePeers): void {
    this.#world.edgeCount = edges;
    for (const gate of this.#gates.values()) gate.shareAmong(visited.get(gate.environmentId) ?? edges);
  }

  /** Who is told what cannot wait. */
  tell(listener: GateSignals): void {
    this.#listener = listener;
  }

  of(environmentId: string, target: InstancesTarget): EnvironmentGate {
    const known = this.#gates.get(environmentId);
    if (known) return known;
    const gate = new EnvironmentGate(environmentId, this.#world);
    gate.follow(target);
    gate.lockWith(this.#keyOf(environmentId));
    this.#gates.set(environmentId, gate);
    return gate;
  }

  all(): IterableIterator<EnvironmentGate> {
    return this.#gates.values();
  }

  load(): EdgeLoad {
    const environments: Record<string, EnvironmentLoad> = {};
    const instances: Record<string, number> = {};
    const silent: Record<string, number> = {};
    const nowMs = performance.now();
    for (const gate of this.#gates.values()) {
      if (this.#isLively(gate, nowMs)) environments[gate.environmentId] = gate.load;
      for (const upstream of gate.upstreams) {
        const { id, inFlight } = upstream;
        const doubts = upstream.doubts(nowMs);
        if (inFlight > 0) instances[id] = inFlight;
        if (doubts > 0) silent[id] = doubts;
      }
      if (gate.isOver) this.#forget(gate.environmentId);
    }
    return { environments, instances, silent };
  }

  close(): void {
    this.#world.ticker.stop();
    for (const gate of this.#gates.values()) gate.close();
  }

  #isLively({ environmentId, load }: EnvironmentGate, nowMs: number): boolean {
    const before = this.#lively.get(environmentId);
    const isUnderWay = load.inFlight > 0 || load.waiting > 0;
    if (isUnderWay || load.requests !== (before?.requests ?? 0)) {
      this.#lively.set(environmentId, { requests: load.requests, untilMs: nowMs + QUIET_AFTER_MS });
      return true;
    }
    return before !== undefined && nowMs < before.untilMs;
  }

  #forget(environmentId: string): void {
    this.#gates.delete(environmentId);
    this.#lively.delete(environmentId);
  }

  #follow(environmentId: string | null): void {
    if (environmentId === null) {
      for (const gate of this.#gates.values()) this.#bring(gate);
    } else {
      const gate = this.#gates.get(environmentId);
      if (gate) this.#bring(gate);
    }
  }

  #keyOf(environmentId: string): string | null {
    return this.#routes.ofEnvironment(environmentId)?.lock?.key ?? null;
  }

  #bring(gate: EnvironmentGate): void {
    const route: Route | undefined = this.#routes.ofEnvironment(gate.environmentId);
    const target = route?.target?.kind === 'instances' ? route.target : null;
    gate.follow(target, route ? nothingDeployed : noSuchApp);
    gate.lockWith(this.#keyOf(gate.environmentId));
    if (gate.isOver) this.#forget(gate.environmentId);
  }
}
