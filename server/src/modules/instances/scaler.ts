import { autoscale, beginScaling, suspendScaling, type ScaleMemory } from './autoscale.ts';
import type { Crew } from './crew.ts';
import type { EventLog } from './event-log.ts';
import { nowOf, type FleetWorld } from './fleet-world.ts';
import { healthPathOf } from './health-path.ts';
import { isCapacity, isIll, isWell, type Member } from './member.ts';
import { chooseOutdated } from './renew-addresses.ts';
import { chooseSurplus } from './retire-members.ts';
import { ScaleTeller } from './scale-news.ts';
import type { Bounds, Subject } from './subject.ts';
import type { Troubles } from './troubles.ts';

export interface ScalerParts {
  environmentId: string;
  crew: Crew;
  events: EventLog;
  troubles: Troubles;
}

export interface ScaleLimits {
  bounds: Bounds;
  /** What is live is released anew, as by a rollback to it: its instances are the release's, and none is retired. */
  isReleased: boolean;
}

/** Decides how many instances of what is live there should be, and starts and retires to that end. */
export class Scaler {
  readonly #world: FleetWorld;
  readonly #parts: ScalerParts;
  readonly #teller = new ScaleTeller();
  #memory: ScaleMemory;
  #desired = 0;

  constructor(world: FleetWorld, parts: ScalerParts) {
    this.#world = world;
    this.#parts = parts;
    this.#memory = beginScaling(nowOf(world), false);
  }

  /** How many there should be, as was last decided. */
  get desired(): number {
    return this.#desired;
  }

  /**
   * Another deployment is live, or this process has just taken over. `isAwake`: of what is live something runs, or did
   * a moment ago.
   */
  begin(isAwake: boolean): void {
    this.#teller.begin();
    this.#memory = beginScaling(nowOf(this.#world), isAwake);
  }

  /** A release starts instances, and tells of that itself. */
  noteRelease(): void {
    this.#teller.noteRelease();
  }

  scale(live: Subject, { bounds, isReleased }: ScaleLimits): void {
    const { crew, events, troubles } = this.#parts;
    const { id } = live.deployment;
    const members = crew.of(id);
    const able = members.filter(isCapacity);
    const ill = members.filter((member) => isIll(member.condition) && !isCapacity(member));
    this.#desired = this.#decide(live, { able, ill: ill.length, bounds });
    const told = this.#teller.tell(this.#desired, crew.strengthOf(id));
    if (told) events.note(id, told);
    // One that was up until it fell asleep has not crashed, however short its life was.
    if (this.#desired === 0 && able.some(({ condition }) => condition === 'up')) troubles.recover(id);
    if (!isReleased) this.#retireSurplus(live, members, able);
    for (let missing = this.#startable(id, able, bounds); missing > 0; missing--) crew.launch(live);
  }

  #decide(
    { deployment: { id, run } }: Subject,
    { able, ill, bounds }: { able: readonly Member[]; ill: number; bounds: Bounds },
  ): number {
    const { board, cpu, config } = this.#world;
    const { environmentId, crew } = this.#parts;
    const nowMs = nowOf(this.#world);
    const running = crew.strengthOf(id);
    if (!board.isSure(nowMs)) this.#memory = suspendScaling(this.#memory, nowMs, running + ill > 0);
    const input = {
      nowMs,
      ...board.loadOf(environmentId),
      hasNewRequests: board.takeNewRequests(environmentId),
      running,
      ill,
      cpuUses: able.flatMap((member) => cpu.useOf(member.id, run.cpus) ?? []),
      concurrency: run.concurrency,
      cpuTarget: run.cpuTarget,
      ...bounds,
    };
    const { desired, memory } = autoscale(this.#memory, input, config.instances);
    this.#memory = memory;
    return desired;
  }

  /** Where nothing is needed, the ill ones go too: they are kept only until there is a better one. */
  #retireSurplus(live: Subject, members: readonly Member[], able: readonly Member[]): void {
    const surplus = Math.max(0, able.length - this.#desired);
    const gone = this.#desired === 0 ? members : chooseSurplus(able, surplus, this.#world.board);
    const outdated = chooseOutdated(members, { desired: this.#desired, isReady: readyRule(live) });
    for (const member of [...gone, ...outdated]) this.#parts.crew.retire(member);
  }

  /** After a crash one at a time, and each later than the last. Beside those that are ill, one more than the most. */
  #startable(deploymentId: string, able: readonly Member[], { max }: Bounds): number {
    const { crew, troubles } = this.#parts;
    const missing = Math.min(this.#desired - able.length, max + 1 - crew.countRunning(deploymentId));
    if (troubles.crashes.count === 0) return missing;
    const isOneStarting = able.some(({ condition }) => condition === 'starting');
    return isOneStarting || nowOf(this.#world) < troubles.crashes.notBeforeMs ? 0 : Math.min(1, missing);
  }
}

/** Where it says itself whether it is well, listening is not enough. */
function readyRule({ deployment: { variables } }: Subject): (member: Member) => boolean {
  return healthPathOf(variables) === null ? ({ condition }) => condition === 'up' : isWell;
}
