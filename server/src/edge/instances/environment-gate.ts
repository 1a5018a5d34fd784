import { isSameText } from '../../lib/same-text.ts';
import type { EnvironmentLoad } from '../../routing/edge-load.ts';
import type { InstanceAddress, InstancesTarget } from '../../routing/route.ts';
import type { EdgeError } from '../answer.ts';
import { busy, crashing, didNotWake, noSuchApp, startsTooLong, tooManyWait } from '../pages/app-errors.ts';
import type { GateWorld } from './gate-world.ts';
import type { ExchangeOutcome, Gate, Waiter } from './gate.ts';
import { GivenPlace, type PlaceOwner } from './given-place.ts';
import type { Ticking } from './ticker.ts';
import { leastLoaded, Upstream, type UpstreamRole } from './upstream.ts';
import { WaitingLine } from './waiting-line.ts';

/** At least so many requests may wait, however few the environment can take. */
const MIN_LINE = 100;
/** More instances are asked for at most so often. */
const ASK_EVERY_MS = 50;
/** Who has used much of its part is asked after for so long: a burst that comes every few seconds finds room. */
const TIGHT_FOR_MS = 10_000;
const NONE: readonly Upstream[] = [];

/** Gives the requests of one environment places at its instances, and holds those for which there is none. */
export class EnvironmentGate implements Gate, Ticking, PlaceOwner {
  readonly environmentId: string;
  readonly #world: GateWorld;
  #target: InstancesTarget | null = null;
  /** Of the password that clients had to know; null: anybody may come. */
  #key: string | null = null;
  /** What is said to those who wait when there is no target any more. */
  #absence: EdgeError = noSuchApp;
  /** All, those that only finish what they have included. */
  #upstreams: readonly Upstream[] = NONE;
  #serving: readonly Upstream[] = NONE;
  #line: WaitingLine | null = null;
  #inFlight = 0;
  /** The most that were under way at a time since that was last looked at; Infinity: some had to wait. */
  #peak = 0;
  #tightUntilMs = -Infinity;
  /** Those that have come, however they are answered. */
  #requests = 0;
  /** Into so many parts what an instance may have at a time is divided; this edge has one of them. */
  #parts: number;
  #askedAtMs = -Infinity;
  #askAtMs = Infinity;

  constructor(environmentId: string, world: GateWorld) {
    this.environmentId = environmentId;
    this.#world = world;
    this.#parts = world.edgeCount;
  }

  get waiting(): number {
    return this.#line?.size ?? 0;
  }

  /** All its instances, with what each has to do. */
  get upstreams(): readonly Upstream[] {
    return this.#upstreams;
  }

  get load(): EnvironmentLoad {
    return { inFlight: this.#inFlight, waiting: this.waiting, requests: this.#requests };
  }

  get isPrivate(): boolean {
    return this.#key !== null;
  }

  /** Nothing is left of it: it has no target, and nothing is under way. */
  get isOver(): boolean {
    return this.#target === null && this.#upstreams.length === 0;
  }

  /** The route has changed: from here on it is so. Null: no instances serve this environment any more. */
  follow(target: InstancesTarget | null, absence: EdgeError = noSuchApp): void {
    this.#target = target;
    this.#absence = absence;
    const serving = (target?.instances ?? []).map((address) => this.#upstreamAt(address, 'serving'));
    const isServing = new Set(serving.map(({ id }) => id));
    const checked = (target?.probe?.instances ?? []).filter(({ id }) => !isServing.has(id));
    const listed = new Set([...serving, ...checked.map((address) => this.#upstreamAt(address, 'checked'))]);
    const withdrawn = this.#upstreams.filter((upstream) => !listed.has(upstream));
    for (const upstream of withdrawn) {
      upstream.withdraw();
      if (target?.lost?.includes(upstream.id)) upstream.lose();
    }
    this.#serving = serving.length === 0 ? NONE : serving;
    this.#upstreams = [...listed, ...withdrawn.filter(({ inFlight }) => inFlight > 0)];
    this.#serveLine();
    this.#reconsiderLine();
  }

  /** A new key: whoever came in by another, or without one, sees nothing more. Not to be called in a `follow`. */
  lockWith(key: string | null): void {
    const isNew = key !== null && key !== this.#key;
    this.#key = key;
    if (isNew) for (const upstream of this.#upstreams) upstream.shutOut();
  }

  /** Whether its part among all edges may be too small: more than half of it was used lately. */
  isTight(nowMs: number): boolean {
    if (this.#target !== null && this.#peak * 2 > this.#partAmong(this.#world.edgeCount) * this.#serving.length) {
      this.#tightUntilMs = nowMs + TIGHT_FOR_MS;
    }
    this.#peak = this.waiting > 0 ? Infinity : this.#inFlight;
    return nowMs < this.#tightUntilMs;
  }

  shareAmong(parts: number): void {
    if (parts === this.#parts) return;
    this.#parts = parts;
    this.#serveLine();
  }

  take(waiter: Waiter, probe = ''): void {
    if (probe !== '' && this.isProbe(probe)) return this.#takeForProbe(waiter, instanceOf(probe));
    this.#requests++;
    const upstream = this.#choose();
    if (upstream) this.#give(upstream, { waiter, untilMs: 0, isProbe: false });
    else this.#hold(waiter);
  }

  cancel(waiter: Waiter): void {
    if (this.#line?.remove(waiter)) this.#world.held--;
  }

  /** Whether this begins with the token of the check that is under way. An instance's id may follow, after a dot. */
  isProbe(text: string): boolean {
    const probe = this.#target?.probe;
    return probe ? isSameText(text.split('.', 1)[0]!, probe.token) : false;
  }

  takeBack(place: GivenPlace, outcome: ExchangeOutcome): void {
    place.upstream.noteOutcome(place.pool, outcome);
    this.#leave(place);
    this.#serveLine();
  }

  takeBackUnused(place: GivenPlace): void {
    const { upstream, waiter } = place;
    this.#leave(place);
    if (place.isProbe) return waiter.onRefused(startsTooLong);
    if (place.pool === upstream.pool) upstream.noteSilent(performance.now(), true);
    this.#line ??= new WaitingLine();
    this.#line.putFirst(waiter, place.untilMs || performance.now() + this.#world.holdMs);
    this.#world.held++;
    this.#serveLine();
    this.#reconsiderLine();
  }

  tick(nowMs: number): number {
    for (const waiter of this.#line?.takeOverdue(nowMs) ?? []) this.#dismiss(waiter, this.#whyItWaits());
    for (const upstream of this.#serving) if (upstream.tryAtMs <= nowMs) void this.#try(upstream);
    if (this.#askAtMs <= nowMs) this.#ask();
    return this.#nextDueMs();
  }

  /** The edge ends. */
  close(): void {
    for (const { pool } of this.#upstreams) pool.close();
  }

  #upstreamAt(address: InstanceAddress, role: UpstreamRole): Upstream {
    const known = this.#upstreams.find(({ id }) => id === address.id);
    const upstream = known ?? new Upstream(address);
    upstream.serveAt(address, role);
    // It is being woken, and most likely does not listen yet: one tries for all who wait.
    if (!known && this.waiting > 0) upstream.doubt(performance.now());
    return upstream;
  }

  /** This edge's part of what one instance may have at a time. */
  #partAmong(parts: number): number {
    return Math.max(1, Math.floor(this.#target!.concurrency / parts));
  }

  #choose(): Upstream | null {
    return this.#target === null ? null : leastLoaded(this.#serving, this.#partAmong(this.#parts));
  }

  #takeForProbe(waiter: Waiter, instanceId: string | null): void {
    const ids = new Set(this.#target!.probe!.instances.map(({ id }) => id));
    const probed = this.#upstreams.filter(({ id }) => ids.has(id) && (instanceId ?? id) === id);
    const [upstream] = probed.toSorted((one, other) => one.inFlight - other.inFlight);
    if (upstream) this.#give(upstream, { waiter, untilMs: 0, isProbe: true });
    else waiter.onRefused(startsTooLong);
  }

  #give(upstream: Upstream, taken: { waiter: Waiter; untilMs: number; isProbe: boolean }): void {
    upstream.inFlight++;
    upstream.awaited++;
    if (!taken.isProbe && ++this.#inFlight > this.#peak) this.#peak = this.#inFlight;
    taken.waiter.onPlace(new GivenPlace(this, upstream, taken));
  }

  #leave({ upstream, isProbe, isAwaited }: GivenPlace): void {
    upstream.inFlight--;
    if (isAwaited) upstream.awaited--;
    if (!isProbe) this.#inFlight--;
    if (upstream.inFlight > 0 || upstream.role !== 'withdrawn') return;
    this.#upstreams = this.#upstreams.filter((other) => other !== upstream);
    this.#world.signals.drained(upstream.id);
  }

  #hold(waiter: Waiter): void {
    const world = this.#world;
    const refusal = this.#whyNotHeld();
    if (refusal) return waiter.onRefused(refusal);
    const nowMs = performance.now();
    this.#line ??= new WaitingLine();
    this.#line.add(waiter, nowMs + world.holdMs);
    world.held++;
    this.#peak = Infinity;
    for (const upstream of this.#serving) upstream.hurry(nowMs);
    this.#askSoon(nowMs);
    world.ticker.call(this, this.#nextDueMs());
  }

  #whyNotHeld(): EdgeError | null {
    const { held, maxHeld } = this.#world;
    if (this.#target === null) return this.#absence;
    if (this.#target.outage !== null) return crashing;
    const { concurrency, maxInstances } = this.#target;
    const isFull = held >= maxHeld || this.waiting >= Math.max(MIN_LINE, concurrency * maxInstances);
    return isFull ? tooManyWait : null;
  }

  #serveLine(): void {
    for (let left = this.waiting; left > 0; left = this.waiting) {
      const upstream = this.#choose();
      const first = upstream && this.#line!.takeFirst();
      if (!first) return;
      this.#world.held--;
      this.#give(upstream, { ...first, isProbe: false });
    }
  }

  /** Those who still wait may have nothing to wait for; otherwise they are looked after. */
  #reconsiderLine(): void {
    const isHopeless = this.#target === null || this.#target.outage !== null;
    if (isHopeless) for (const waiter of this.#line?.takeAll() ?? []) this.#dismiss(waiter, this.#whyNotHeld()!);
    if (this.waiting > 0) this.#askSoon(performance.now());
    this.#world.ticker.call(this, this.#nextDueMs());
  }

  /** One who was in the line, and is not any more. */
  #dismiss(waiter: Waiter, error: EdgeError): void {
    this.#world.held--;
    waiter.onRefused(error);
  }

  #whyItWaits(): EdgeError {
    if (this.#serving.length === 0) return didNotWake;
    return this.#serving.every(({ isSilent }) => isSilent) ? startsTooLong : busy;
  }

  async #try(upstream: Upstream): Promise<void> {
    const { pool } = upstream;
    upstream.tryAtMs = Infinity;
    const isListening = await this.#world.tryConnect(pool.address);
    if (upstream.pool !== pool || upstream.role !== 'serving') return;
    if (isListening) upstream.noteHeard();
    else upstream.noteSilent(performance.now(), this.waiting > 0);
    this.#serveLine();
    this.#world.ticker.call(this, this.#nextDueMs());
  }

  /** Requests that came together are told together. */
  #askSoon(nowMs: number): void {
    if (this.#askAtMs < Infinity) return;
    this.#askAtMs = Math.max(nowMs, this.#askedAtMs + ASK_EVERY_MS);
    if (this.#askAtMs === nowMs) setImmediate(() => this.#ask());
  }

  #ask(): void {
    if (this.#askAtMs === Infinity) return;
    this.#askAtMs = Infinity;
    this.#askedAtMs = performance.now();
    const { environmentId, waiting } = this;
    if (waiting > 0) this.#world.signals.demand({ environmentId, inFlight: this.#inFlight, waiting });
  }

  #nextDueMs(): number {
    let nextMs = Math.min(this.#line?.nextEndMs ?? Infinity, this.#askAtMs);
    for (const { tryAtMs } of this.#serving) nextMs = Math.min(nextMs, tryAtMs);
    return nextMs;
  }
}

/** The one that a probe is for; null: any of those that are checked. */
function instanceOf(probe: string): string | null {
  const dot = probe.indexOf('.');
  return dot < 0 ? null : probe.slice(dot + 1);
}
