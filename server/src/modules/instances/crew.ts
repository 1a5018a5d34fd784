import { newId } from '../../lib/ids.ts';
import type { InstanceAddress } from '../../routing/route.ts';
import type { Exit, Instance } from '../../runtime/runtime.ts';
import { bootMember, type BootResult } from './boot-member.ts';
import type { Failure } from './crash-record.ts';
import { nowOf, type FleetWorld } from './fleet-world.ts';
import { isCapacity, newMember, turnMember, type BootEnd, type Member, type MemberEnd } from './member.ts';
import { addressesText, hasAddresses, isOutdated } from './renew-addresses.ts';
import type { Subject } from './subject.ts';

export interface CrewEvents {
  /** Something about a member is different: look again. */
  onChange(): void;
  /** A member that was not to go has ended, or will never be reached. The lines are its last. */
  onFailure(member: Member, failure: Failure, lines: Promise<string[]>): void;
}

interface Watch {
  readonly abort: AbortController;
  /** Where it is, as soon as that is certain; null: it never was. */
  readonly located: PromiseWithResolvers<InstanceAddress | null>;
  /** How its start ended. */
  end: Promise<BootEnd>;
  /** Set when it has ended by itself. */
  exit: Promise<BootEnd> | null;
  /** Its last lines, to be read before it is removed. */
  lines: Promise<string[]> | null;
  /** Settled when it has ended by itself, whenever that is, or was stopped. */
  readonly over: PromiseWithResolvers<MemberEnd>;
}

const LAST_LINES = 50;
/** Edges have heard of the others long ago. */
const MOST_LOST = 20;

/** The instances of one environment: started, watched, stopped. What should be is for others to say. */
export class Crew {
  readonly #world: FleetWorld;
  readonly #events: CrewEvents;
  readonly #members = new Map<string, Member>();
  readonly #watches = new Map<string, Watch>();
  readonly #stopping = new Set<string>();
  #lost: readonly string[] = [];

  constructor(world: FleetWorld, events: CrewEvents) {
    this.#world = world;
    this.#events = events;
  }

  all(): Member[] {
    return [...this.#members.values()];
  }

  has(instanceId: string): boolean {
    return this.#members.has(instanceId);
  }

  of(deploymentId: string): Member[] {
    return this.all().filter((member) => member.deploymentId === deploymentId && member.retirement === null);
  }

  /** How many serve, or are about to, whichever addresses of databases they know. */
  strengthOf(deploymentId: string): number {
    const own = this.of(deploymentId);
    // While they are replaced there are two of each.
    return Math.max(own.filter(isCapacity).length, own.filter(isOutdated).length);
  }

  /**
   * How many run, or are about to, beside those that are being replaced. Of those that are to go, only ones that hang
   * count: they are seldom done soon.
   */
  countRunning(deploymentId: string): number {
    const own = this.all().filter((member) => member.deploymentId === deploymentId && member.condition !== 'ended');
    return own
      .filter((member) => !isOutdated(member))
      .filter(({ condition, retirement }) => retirement === null || condition === 'sick').length;
  }

  /** Those that certainly run: the runtime has said where. */
  placed(): string[] {
    return this.all().flatMap(({ id, address }) => (address ? id : []));
  }

  launch(subject: Subject): Member {
    const member = newMember({ id: newId('ins'), deploymentId: subject.deployment.id, nowMs: nowOf(this.#world) });
    this.#members.set(member.id, member);
    this.#watch(member, subject);
    return member;
  }

  /** One that an earlier process started. Edges may know it by another port than the one it was given. */
  adopt(instance: Instance, known: InstanceAddress | null): void {
    const { id, deploymentId, startedAt, host, port, exit } = instance;
    if (this.#members.has(id)) return;
    const member = newMember({ id, deploymentId, nowMs: nowOf(this.#world), startedAtMs: startedAt.getTime() });
    member.address = known ?? { id, host, port };
    this.#members.set(id, member);
    if (exit) this.#turn(member, 'ended');
    else this.#watch(member, null);
  }

  /** How its start ended, or will. */
  booted({ id }: Member): Promise<BootEnd> {
    return this.#watches.get(id)?.end ?? Promise.resolve({ kind: 'gone' });
  }

  /** Where it is, as soon as that is certain; it need not listen. Null when it never will be. */
  located({ id }: Member): Promise<InstanceAddress | null> {
    return this.#watches.get(id)?.located.promise ?? Promise.resolve(null);
  }

  /** How it ended, or will: also long after its start. */
  over({ id }: Member): Promise<MemberEnd> {
    return this.#watches.get(id)?.over.promise ?? Promise.resolve({ kind: 'gone' });
  }

  lastLines(instanceId: string): Promise<string[]> {
    return this.#world.runtime.tail(instanceId, LAST_LINES).catch(() => []);
  }

  /** Those whose machine is gone, the latest: edges need not wait for their answers. */
  get lost(): readonly string[] {
    return this.#lost;
  }

  /** The instance ended by itself. */
  end(instanceId: string, exit: Exit): void {
    const member = this.#members.get(instanceId);
    if (!member || member.condition === 'ended' || this.#stopping.has(instanceId)) return;
    const livedMs = nowOf(this.#world) - member.startedAtMs;
    if (exit.isMachineLost) this.#lost = [...this.#lost, instanceId].slice(-MOST_LOST);
    this.#turn(member, 'ended');
    const lines = this.lastLines(instanceId);
    const watch = this.#watches.get(instanceId);
    if (watch) {
      watch.lines = lines;
      const told = lines.then((last): MemberEnd => ({ kind: 'exit', exit, livedMs, lines: last }));
      watch.exit = told;
      watch.over.resolve(told);
      watch.abort.abort();
    }
    if (!member.retirement) this.#events.onFailure(member, { kind: 'exit', exit, livedMs }, lines);
    this.#events.onChange();
  }

  /** For one whose end nobody told of: the runtime knows it no more, or knows that it ended. */
  compare(instances: ReadonlyMap<string, Instance>, since: ReadonlySet<string>): void {
    for (const { id, condition } of this.all()) {
      const found = instances.get(id);
      if (!since.has(id) || condition === 'ended') continue;
      if (!found) this.end(id, { exitCode: null, isOutOfMemory: false });
      else if (found.exit) this.end(id, found.exit);
    }
  }

  retire(member: Member): void {
    if (member.retirement) return;
    member.retirement = { version: null, confirmedAtMs: null };
    this.#world.hurry();
  }

  /** It runs, and is not waited for any longer: its end is told, and it goes. */
  giveUp(member: Member, failure: Failure): void {
    this.retire(member);
    const lines = this.lastLines(member.id);
    const watch = this.#watches.get(member.id);
    if (watch) watch.lines = lines;
    this.#events.onFailure(member, failure, lines);
  }

  /**
   * Which instances of the subject were given other addresses of databases than it has now: they are to be replaced.
   */
  outdate(subject: Subject): Member[] {
    if (!hasAddresses(subject)) return [];
    const addresses = addressesText(subject);
    const found = this.of(subject.deployment.id).filter((member) => member.addresses !== addresses);
    for (const member of found) member.isOutdated = true;
    return found;
  }

  /** Ends it and removes what is left of it, in the background; a failure is tried again when it is asked again. */
  stop(member: Member): void {
    if (this.#stopping.has(member.id)) return;
    this.#stopping.add(member.id);
    void this.#stop(member).finally(() => this.#stopping.delete(member.id));
  }

  /** Instances run on; nobody watches them from here. */
  close(): void {
    for (const { abort } of this.#watches.values()) abort.abort();
  }

  #watch(member: Member, subject: Subject | null): void {
    const abort = new AbortController();
    const over = Promise.withResolvers<MemberEnd>();
    const located = Promise.withResolvers<InstanceAddress | null>();
    const watch: Watch = { abort, located, end: Promise.resolve({ kind: 'gone' }), exit: null, lines: null, over };
    const { signal } = abort;
    const onAddress = () => {
      located.resolve(member.address);
      this.#events.onChange();
    };
    if (member.address) located.resolve(member.address);
    watch.end = bootMember(this.#world, { member, subject }, { signal, onAddress }).then(
      (result) => watch.exit ?? this.#noteBoot(member, watch, result),
      () => watch.exit ?? { kind: 'gone' },
    );
    void watch.end.then(() => located.resolve(null));
    this.#watches.set(member.id, watch);
  }

  async #noteBoot(member: Member, watch: Watch, result: BootResult): Promise<BootEnd> {
    if (result.kind === 'up') {
      member.address = { ...member.address!, port: result.port };
      this.#turn(member, 'up');
      this.#events.onChange();
      return { kind: 'up' };
    }
    const lines = (watch.lines = this.lastLines(member.id));
    const wasWanted = member.retirement === null;
    if (result.kind === 'refused') this.#turn(member, 'ended');
    this.retire(member);
    if (wasWanted) this.#events.onFailure(member, result, lines);
    this.#events.onChange();
    return { ...result, lines: await lines };
  }

  async #stop({ id }: Member): Promise<void> {
    const { runtime, leadership, timing, log, cpu, departed } = this.#world;
    const watch = this.#watches.get(id);
    try {
      watch?.abort.abort();
      watch?.over.resolve({ kind: 'gone' });
      // What is being started is stopped when it is; its last words are read before they go with it.
      await watch?.end;
      await watch?.lines;
      await leadership.certain();
      await runtime.stop(id, { graceMs: timing.graceMs });
      departed.add(id);
      this.#members.delete(id);
      this.#watches.delete(id);
      cpu.forget(id);
      this.#events.onChange();
    } catch (error) {
      log.error({ err: error, instance: id }, 'an instance could not be stopped; it is tried again');
    }
  }

  #turn(member: Member, condition: Member['condition']): void {
    turnMember(member, condition, nowOf(this.#world));
  }
}
