import type { News } from '../deployments/tell-environment.ts';
import type { Failure } from './crash-record.ts';
import type { Crew } from './crew.ts';
import { examineMember, type Question } from './examine-member.ts';
import { nowOf, type FleetWorld } from './fleet-world.ts';
import { chooseIncurable, isDispensable, noteFinding } from './health.ts';
import { isWell, turnMember, type Member } from './member.ts';

export interface RoundsEvents {
  /** Something about a member is different: look again. */
  onChange(): void;
  /** It was found to be ill, or well again, and is in that condition now. */
  onHealth(member: Member, news: News): void;
}

/** Looks at the instances of one environment again and again: who is not well, and who has not been for too long. */
export class HealthRounds {
  readonly #world: FleetWorld;
  readonly #crew: Crew;
  readonly #events: RoundsEvents;
  /** Those that are being looked at: that may take longer than until the next look. */
  readonly #examined = new Set<Member>();

  constructor(world: FleetWorld, crew: Crew, events: RoundsEvents) {
    this.#world = world;
    this.#crew = crew;
    this.#events = events;
  }

  /** Looks at each; who is found ill twice is out until it is found well twice, and goes when that takes too long. */
  async check(live: Question | null): Promise<void> {
    if (live) this.#replaceIncurable(live.deploymentId);
    const able = this.#crew
      .all()
      .filter(({ condition, retirement }) => !retirement && condition !== 'starting' && condition !== 'ended');
    await Promise.all(
      able.map((member) => this.#check(member, member.deploymentId === live?.deploymentId ? live : null)),
    );
  }

  #replaceIncurable(deploymentId: string): void {
    const { timing, config } = this.#world;
    const context = { nowMs: nowOf(this.#world), timing: { ...timing, ...config.instances } };
    const { goes, isSpare } = chooseIncurable(this.#crew.of(deploymentId), context);
    if (goes) this.#giveUp(goes);
    if (isSpare) isSpare.isSpare = true;
    if (goes || isSpare) this.#events.onChange();
  }

  async #check(member: Member, question: Question | null): Promise<void> {
    if (this.#examined.has(member)) return;
    this.#examined.add(member);
    const finding = await examineMember(this.#world, member, question).finally(() => this.#examined.delete(member));
    if (member.retirement || member.condition === 'ended') return;
    const wasWell = isWell(member);
    const condition = noteFinding(member, finding);
    if (condition !== member.condition) this.#noteHealth(member, condition);
    else if (this.#isHopeless(member)) this.#giveUp(member);
    else if (wasWell === isWell(member)) return;
    this.#events.onChange();
  }

  #noteHealth(member: Member, condition: Member['condition']): void {
    turnMember(member, condition, nowOf(this.#world));
    const { id, ailment } = member;
    if (condition === 'up') member.isSpare = false;
    const news: News =
      condition === 'up'
        ? { severity: 'INFO', message: `Instance ${id} is well again.` }
        : { severity: 'WARN', message: `Instance ${id} is not well: ${ailment}.` };
    this.#events.onHealth(member, news);
  }

  /** It does not answer, has not for long, and is not the last to which requests can go. */
  #isHopeless(member: Member): boolean {
    if (member.condition !== 'sick' || member.passedChecks > 0) return false;
    const others = this.#crew.of(member.deploymentId);
    return this.#illMs(member) >= this.#world.timing.sickMs && isDispensable(member, others);
  }

  #giveUp(member: Member): void {
    const nowMs = nowOf(this.#world);
    const seconds = Math.round(this.#illMs(member) / 1000);
    const message = `It has not been well for ${seconds} s (${member.ailment}), and is replaced.`;
    const livedMs = nowMs - member.startedAtMs;
    const failure: Failure =
      member.condition === 'sick' ? { kind: 'hung', message, livedMs } : { kind: 'unreachable', message };
    if (member.condition !== 'sick') turnMember(member, 'sick', nowMs);
    this.#crew.giveUp(member, failure);
  }

  #illMs({ sinceMs }: Member): number {
    return nowOf(this.#world) - sinceMs;
  }
}
