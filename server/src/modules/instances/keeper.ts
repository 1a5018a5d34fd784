import type { InstanceAddress, RouteTarget } from '../../routing/route.ts';
import { findRoute } from '../../routing/route-store.ts';
import type { Instance, InstanceExit } from '../../runtime/runtime.ts';
import type { News } from '../deployments/tell-environment.ts';
import { Crew } from './crew.ts';
import { isSwitching, strangersAmong, type CurrentDeployments } from './current-deployments.ts';
import { EventLog } from './event-log.ts';
import { questionOf } from './examine-member.ts';
import { readOutline, type Outline } from './fleet-store.ts';
import { nowOf, type FleetWorld } from './fleet-world.ts';
import { HealthRounds } from './health-rounds.ts';
import { ailmentOf } from './health.ts';
import { addressesIn, isSameTarget, listedIn, rotationOf } from './instances-target.ts';
import { loadSubject } from './load-subject.ts';
import { publishTarget } from './publish-target.ts';
import { isOutdated } from './renew-addresses.ts';
import { retireMembers } from './retire-members.ts';
import { Scaler } from './scaler.ts';
import { judgeStability } from './stable-members.ts';
import { boundsOf, type Bounds, type Subject } from './subject.ts';
import { Troubles } from './troubles.ts';
import { wantedTarget } from './wanted-target.ts';
import { writeDownTrouble } from './write-down-trouble.ts';

const RENEWED: News = { severity: 'INFO', message: 'Instances are replaced: the address of a database has changed.' };

interface KnownRoute {
  version: number;
  target: RouteTarget | null;
}

/**
 * Keeps the instances of one environment as they should be. Everything it does follows from what it knows
 * of the rows and of the instances, and is done in steps, one after another: whatever happens, a step is asked for.
 */
export class Keeper {
  readonly environmentId: string;
  readonly crew: Crew;
  readonly #world: FleetWorld;
  readonly #events: EventLog;
  readonly #troubles: Troubles;
  readonly #rounds: HealthRounds;
  readonly #scaler: Scaler;
  #outline: Outline | null = null;
  #live: Subject | null = null;
  #route: KnownRoute = { version: 0, target: null };
  /** Deployments that a release in this process is about, whatever the rows said when they were read. */
  readonly #pinned = new Set<string>();
  #mustRead = true;
  #mustStep = false;
  #stirredAtMs: number;
  #stepping: Promise<void> | null = null;
  #isClosed = false;

  constructor(world: FleetWorld, environmentId: string) {
    this.#world = world;
    this.environmentId = environmentId;
    this.#stirredAtMs = nowOf(world);
    this.#events = new EventLog(world, environmentId);
    this.#troubles = new Troubles(world, this.#events);
    const onChange = () => this.poke();
    this.crew = new Crew(world, {
      onChange,
      onFailure: (member, failure, lines) => this.#troubles.note({ member, failure, lines }),
    });
    this.#rounds = new HealthRounds(world, this.crew, {
      onChange,
      onHealth: (member, news) => {
        if (member.condition === 'sick') this.#troubles.noteHung(member);
        this.#events.note(member.deploymentId, news);
      },
    });
    const parts = { environmentId, crew: this.crew, events: this.#events, troubles: this.#troubles };
    this.#scaler = new Scaler(world, parts);
  }

  /** Asks for a step. */
  poke(): void {
    this.#mustStep = true;
    if (!this.#isClosed) this.#stepping ??= this.#run();
  }

  /** Asks for a step that reads the rows first, and resolves when everything asked for until then is done. */
  async refresh(): Promise<void> {
    this.#mustRead = true;
    this.poke();
    await this.#stepping;
  }

  /** Reads again where the rows are not as they were. */
  see(outline: Outline | null): void {
    if (JSON.stringify(outline) === JSON.stringify(this.#outline)) return;
    this.#mustRead = true;
    this.poke();
  }

  /** Nothing runs, nobody waits for it, and nothing is live; or what is live has slept for long. */
  isIdle(): boolean {
    return this.#stepping === null && this.#isUnmanned() && (this.#live === null || this.isDormant());
  }

  /** Whatever is remembered of it counts no more: a keeper that is made when somebody comes does as well. */
  isDormant(): boolean {
    const { timing } = this.#world;
    return this.#isAtRest() && nowOf(this.#world) - this.#stirredAtMs >= timing.forgetMs;
  }

  bounds(): Bounds {
    const { plan, min, max } = this.#outline ?? { plan: 'free', min: 0, max: 1 };
    return boundsOf(plan, { min, max });
  }

  liveId(): string | null {
    return this.#live?.deployment.id ?? null;
  }

  pin(deploymentId: string): void {
    this.#pinned.add(deploymentId);
    this.#scaler.noteRelease();
  }

  unpin(deploymentId: string): void {
    this.#pinned.delete(deploymentId);
    this.#troubles.forgetUnclaimed();
    this.poke();
  }

  /** Those that take requests, or would, if edges were told so. */
  serving(): InstanceAddress[] {
    return this.#live ? rotationOf(this.crew.of(this.#live.deployment.id), listedIn(this.#route.target)) : [];
  }

  /** Takes over what runs already; first of all. */
  async adopt(instances: readonly Instance[]): Promise<void> {
    await this.#read();
    const known = addressesIn(this.#route.target);
    for (const instance of instances) this.crew.adopt(instance, known.find(({ id }) => id === instance.id) ?? null);
    this.#scaler.begin(instances.some(({ exit }) => exit === null));
    this.poke();
  }

  /** From now on who does not know the addresses of databases of now is replaced. */
  async renew(): Promise<void> {
    await this.refresh();
    const ids = new Set(this.crew.all().map(({ deploymentId }) => deploymentId));
    for (const id of ids) {
      const subject = await loadSubject(this.#world, id);
      const found = subject ? this.crew.outdate(subject) : [];
      if (found.length > 0) this.#events.note(id, RENEWED);
    }
    this.poke();
  }

  /** Whether no instance waits to be replaced. */
  isRenewed(): boolean {
    return !this.crew.all().some(isOutdated);
  }

  noteExit({ instanceId, ...exit }: InstanceExit): void {
    this.crew.end(instanceId, exit);
  }

  /** In the background: one that does not answer keeps nothing waiting. */
  check(): void {
    void this.#rounds.check(this.#live && questionOf(this.#live));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.crew.close();
    await this.#stepping;
  }

  async #run(): Promise<void> {
    try {
      while (this.#mustStep && !this.#isClosed) {
        this.#mustStep = false;
        await this.#step();
      }
    } catch (error) {
      // The next tick asks again.
      this.#mustRead = true;
      this.#world.log.error({ err: error, environment: this.environmentId }, 'instances could not be seen to');
    } finally {
      this.#stepping = null;
    }
  }

  async #step(): Promise<void> {
    if (this.#mustRead) await this.#read();
    const current = this.#current();
    for (const member of strangersAmong(this.crew.all(), current)) this.crew.retire(member);
    this.#noteStable();
    if (this.#live && !isSwitching(this.#route.target, current)) {
      this.#scale(this.#live);
      await this.#publish(this.#live);
      await this.#writeTrouble(this.#live);
    }
    this.#endRetired();
    if (!this.#isAtRest()) this.#stirredAtMs = nowOf(this.#world);
  }

  #isUnmanned(): boolean {
    return this.crew.all().length === 0 && this.#pinned.size === 0;
  }

  #isAtRest(): boolean {
    return this.#isUnmanned() && this.#scaler.desired === 0 && !this.#troubles.areAny;
  }

  async #read(): Promise<void> {
    this.#mustRead = false;
    const { store } = this.#world;
    const outline = await readOutline(store.db, this.environmentId);
    const liveId = outline && outline.status !== 'deleting' ? outline.liveDeploymentId : null;
    const isSame = liveId !== null && liveId === this.#live?.deployment.id;
    const isRenamed = isSame && String(outline?.names) !== String(this.#outline?.names);
    const live = isSame && !isRenamed ? this.#live : liveId && (await loadSubject(this.#world, liveId));
    const route = await this.#readRoute(outline);
    this.#outline = outline && { ...outline, routeVersion: route.version };
    this.#route = route;
    if (!isSame) this.#begin(live || null);
    else if (live) this.#live = live;
  }

  async #readRoute(outline: Outline | null): Promise<KnownRoute> {
    if (outline?.routeVersion === this.#route.version) return this.#route;
    const route = await findRoute(this.#world.store.db, this.environmentId);
    return route ?? { version: 0, target: null };
  }

  /** Another deployment is live. */
  #begin(live: Subject | null): void {
    this.#live = live;
    // What was just released has run, though it may have ended since.
    const isAwake =
      live !== null && (this.#pinned.has(live.deployment.id) || this.crew.of(live.deployment.id).length > 0);
    this.#scaler.begin(isAwake);
    this.#troubles.begin(live, this.#outline?.trouble ?? null);
  }

  #current(): CurrentDeployments {
    return { liveId: this.liveId(), pinned: this.#pinned, releasing: this.#outline?.releasing ?? [] };
  }

  /** One that has stayed up proves that the deployment can; and so do all, when no other is wanted. */
  #noteStable(): void {
    if (!this.#live) return;
    const { id } = this.#live.deployment;
    const { newlyStable, isEnough } = judgeStability(this.crew.of(id), {
      desired: this.#scaler.desired,
      nowMs: nowOf(this.#world),
      stableMs: this.#world.timing.stableMs,
    });
    for (const member of newlyStable) member.isStable = true;
    if (newlyStable.length > 0 || (isEnough && this.#troubles.areAny)) this.#troubles.recover(id);
  }

  #scale(live: Subject): void {
    this.#scaler.scale(live, { bounds: this.bounds(), isReleased: this.#pinned.has(live.deployment.id) });
  }

  async #publish(live: Subject): Promise<void> {
    const target = wantedTarget({
      deployment: live.deployment,
      bounds: this.bounds(),
      members: this.crew.of(live.deployment.id),
      lost: this.crew.lost,
      published: this.#route.target,
      crashes: this.#troubles.crashes,
      desired: this.#scaler.desired,
    });
    if (isSameTarget(target, this.#route.target)) return;
    const published = await publishTarget(this.#world, this.environmentId, target);
    if (published) {
      this.#route = published;
      if (this.#outline) this.#outline.routeVersion = published.version;
    } else this.#mustRead = true;
  }

  async #writeTrouble(live: Subject): Promise<void> {
    const trouble = ailmentOf(this.crew.of(live.deployment.id)) ?? this.#troubles.sentence;
    if (!this.#outline || trouble === this.#outline.trouble) return;
    await writeDownTrouble(this.#world, {
      environmentId: this.environmentId,
      deploymentId: live.deployment.id,
      trouble,
    });
    this.#outline.trouble = trouble;
  }

  #endRetired(): void {
    const { board, config } = this.#world;
    const route = { version: this.#route.version, listed: listedIn(this.#route.target) };
    const done = retireMembers(this.crew.all(), { nowMs: nowOf(this.#world), ...config.instances, route, board });
    const ended = this.crew.all().filter(({ condition }) => condition === 'ended');
    for (const member of new Set([...done, ...ended])) this.crew.stop(member);
  }
}
