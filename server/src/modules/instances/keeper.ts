import type { InstanceAddress, InstancesTarget, RouteTarget } from '../../routing/route.ts';
import { findRoute } from '../../routing/route-store.ts';
import type { Instance, InstanceExit } from '../../runtime/runtime.ts';
import type { News } from '../deployments/tell-environment.ts';
import { autoscale, beginScaling, suspendScaling, type ScaleMemory } from './autoscale.ts';
import { isCrashLoop } from './crash-record.ts';
import { Crew } from './crew.ts';
import { EventLog } from './event-log.ts';
import { questionOf } from './examine-member.ts';
import { readOutline, type Outline } from './fleet-store.ts';
import { nowOf, type FleetWorld } from './fleet-world.ts';
import { healthPathOf } from './health-path.ts';
import { instancesTarget, isSameTarget, listedIn, rotationOf } from './instances-target.ts';
import { loadSubject } from './load-subject.ts';
import { isCapacity, isIll, isWell, type Member } from './member.ts';
import { publishTarget } from './publish-target.ts';
import { chooseOutdated, isOutdated } from './renew-addresses.ts';
import { chooseSurplus, retireMembers } from './retire-members.ts';
import { boundsOf, type Bounds, type Subject } from './subject.ts';
import { ScaleTeller } from './scale-news.ts';
import { Troubles } from './troubles.ts';
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
  #outline: Outline | null = null;
  #live: Subject | null = null;
  #route: KnownRoute = { version: 0, target: null };
  /** Deployments that a release in this process is about, whatever the rows said when they were read. */
  readonly #pinned = new Set<string>();
  readonly #troubles: Troubles;
  #scaling: ScaleMemory;
  #desired = 0;
  /** How many there were to be when that was last told; null: of what is live, nothing is decided yet. */
  readonly #scaleTeller = new ScaleTeller();
  #mustRead = true;
  #mustStep = false;
  #stepping: Promise<void> | null = null;
  #isClosed = false;

  constructor(world: FleetWorld, environmentId: string) {
    this.#world = world;
    this.environmentId = environmentId;
    this.#events = new EventLog(world, environmentId);
    this.#troubles = new Troubles(world, this.#events);
    this.#scaling = beginScaling(nowOf(world), false);
    this.crew = new Crew(world, {
      onChange: () => this.poke(),
      onFailure: (member, failure, lines) => this.#troubles.note({ member, failure, lines }),
      onHealth: (member, news) => {
        if (member.condition === 'sick') this.#troubles.noteHung(member);
        this.#events.note(member.deploymentId, news);
      },
    });
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

  /** Nothing is live, nothing runs, nobody waits for it. */
  isIdle(): boolean {
    return this.#live === null && this.crew.all().length === 0 && this.#pinned.size === 0 && this.#stepping === null;
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
    this.#scaleTeller.noteRelease();
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
    const { target } = this.#route;
    const known = target?.kind === 'instances' ? [...target.instances, ...(target.probe?.instances ?? [])] : [];
    for (const instance of instances) this.crew.adopt(instance, known.find(({ id }) => id === instance.id) ?? null);
    const isAwake = instances.some(({ exit }) => exit === null);
    this.#scaling = beginScaling(nowOf(this.#world), isAwake);
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

  /** Nobody waits to be replaced. */
  isRenewed(): boolean {
    return !this.crew.all().some(isOutdated);
  }

  noteExit({ instanceId, ...exit }: InstanceExit): void {
    this.crew.end(instanceId, exit);
  }

  /** In the background: one that does not answer keeps nothing waiting. */
  check(): void {
    void this.crew.check(this.#live && questionOf(this.#live));
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
    this.#retireStrangers();
    this.#noteStable();
    if (this.#live && !this.#isSwitching()) {
      this.#scale(this.#live);
      await this.#publish(this.#live);
      await this.#writeTrouble(this.#live);
    }
    this.#endRetired();
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
    this.#scaleTeller.begin();
    // What was just released has run, though it may have ended since.
    const isAwake =
      live !== null && (this.#pinned.has(live.deployment.id) || this.crew.of(live.deployment.id).length > 0);
    this.#scaling = beginScaling(nowOf(this.#world), isAwake);
    this.#troubles.begin(live, this.#outline?.trouble ?? null);
  }

  /** A release has told edges of another deployment, and it is not decided yet: nothing is changed meanwhile. */
  #isSwitching(): boolean {
    const { target } = this.#route;
    const isLives = target?.kind === 'instances' && target.deploymentId === this.#live?.deployment.id;
    return !isLives && (this.#pinned.size > 0 || (this.#outline?.releasing.length ?? 0) > 0);
  }

  /** Instances of deployments that are neither live nor being released. */
  #retireStrangers(): void {
    const kept = new Set([...this.#pinned, ...(this.#outline?.releasing ?? []), this.liveId()]);
    for (const member of this.crew.all()) if (!kept.has(member.deploymentId)) this.crew.retire(member);
  }

  /** One that has stayed up proves that the deployment can; and so do all, when no other is wanted. */
  #noteStable(): void {
    if (!this.#live) return;
    const { id } = this.#live.deployment;
    const nowMs = nowOf(this.#world);
    const isStable = (member: Member) => isWell(member) && nowMs - member.startedAtMs >= this.#world.timing.stableMs;
    const able = this.crew.of(id).filter(isCapacity);
    const newlyStable = able.filter((member) => !member.isStable && isStable(member));
    for (const member of newlyStable) member.isStable = true;
    const isEnough = this.#desired > 0 && able.length >= this.#desired && able.every(isStable);
    if (newlyStable.length > 0 || (isEnough && this.#troubles.areAny)) this.#troubles.recover(id);
  }

  #scale(live: Subject): void {
    const members = this.crew.of(live.deployment.id);
    const able = members.filter(isCapacity);
    const ill = members.filter((member) => isIll(member.condition) && !isCapacity(member));
    this.#desired = this.#decide(live, able, ill.length);
    const told = this.#scaleTeller.tell(this.#desired, this.crew.strengthOf(live.deployment.id));
    if (told) this.#events.note(live.deployment.id, told);
    // One that was up until it fell asleep has not crashed, however short its life was.
    if (this.#desired === 0 && able.some(({ condition }) => condition === 'up'))
      this.#troubles.recover(live.deployment.id);
    // While it is released anew, as a rollback to what is live does, its instances are the release's.
    if (!this.#pinned.has(live.deployment.id)) this.#retireSurplus(members, able);
    for (let missing = this.#startable(live, able); missing > 0; missing--) this.crew.launch(live);
  }

  /** Where nothing is needed, the ill ones go too: they are kept only until there is a better one. */
  #retireSurplus(members: readonly Member[], able: readonly Member[]): void {
    const surplus = Math.max(0, able.length - this.#desired);
    const gone = this.#desired === 0 ? members : chooseSurplus(able, surplus, this.#world.board);
    const outdated = chooseOutdated(members, { desired: this.#desired, isReady: this.#isReady });
    for (const member of [...gone, ...outdated]) this.crew.retire(member);
  }

  /** Where it says itself whether it is well, listening is not enough. */
  readonly #isReady = (member: Member): boolean => {
    const hasHealthPath = this.#live !== null && healthPathOf(this.#live.deployment.variables) !== null;
    return hasHealthPath ? isWell(member) : member.condition === 'up';
  };

  #decide({ deployment: { id, run } }: Subject, able: readonly Member[], ill: number): number {
    const { board, cpu, config } = this.#world;
    const nowMs = nowOf(this.#world);
    if (!board.isSure(nowMs)) this.#scaling = suspendScaling(this.#scaling, nowMs, this.crew.strengthOf(id) + ill > 0);
    const input = {
      nowMs,
      ...board.loadOf(this.environmentId),
      hasNewRequests: board.takeNewRequests(this.environmentId),
      running: this.crew.strengthOf(id),
      ill,
      cpuUses: able.flatMap(({ id }) => cpu.useOf(id, run.cpus) ?? []),
      concurrency: run.concurrency,
      cpuTarget: run.cpuTarget,
      ...this.bounds(),
    };
    const { desired, memory } = autoscale(this.#scaling, input, config.instances);
    this.#scaling = memory;
    return desired;
  }

  /** After a crash one at a time, and each later than the last. Beside those that are ill, one more than the most. */
  #startable({ deployment: { id } }: Subject, able: readonly Member[]): number {
    const missing = Math.min(this.#desired - able.length, this.bounds().max + 1 - this.crew.countRunning(id));
    if (this.#troubles.crashes.count === 0) return missing;
    const isOneStarting = able.some(({ condition }) => condition === 'starting');
    return isOneStarting || nowOf(this.#world) < this.#troubles.crashes.notBeforeMs ? 0 : Math.min(1, missing);
  }

  async #publish(live: Subject): Promise<void> {
    const target = this.#wantedTarget(live);
    if (isSameTarget(target, this.#route.target)) return;
    const published = await publishTarget(this.#world, this.environmentId, target);
    if (published) {
      this.#route = published;
      if (this.#outline) this.#outline.routeVersion = published.version;
    } else this.#mustRead = true;
  }

  #wantedTarget(live: Subject): InstancesTarget {
    const members = this.crew.of(live.deployment.id);
    const target = instancesTarget(live.deployment, this.bounds(), rotationOf(members, listedIn(this.#route.target)));
    const isServed = members.some(({ condition, isDeaf }) => condition === 'up' || (isIll(condition) && !isDeaf));
    const isOut = isCrashLoop(this.#troubles.crashes) && this.#desired > 0 && !isServed;
    return isOut ? { ...target, instances: [], outage: 'crashing' } : target;
  }

  async #writeTrouble(live: Subject): Promise<void> {
    const trouble = this.crew.ailment(live.deployment.id) ?? this.#troubles.sentence;
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
