import {
  isCrashLoop,
  isMachineLost,
  NO_CRASHES,
  noteFailure,
  takeBackHung,
  type CrashRecord,
  type Failure,
} from './crash-record.ts';
import type { EventLog } from './event-log.ts';
import { nowOf, type FleetWorld } from './fleet-world.ts';
import type { Member } from './member.ts';
import type { Subject } from './subject.ts';
import { tellFailure, type Failed } from './tell-failure.ts';

/** What went wrong with the instances of what is live, and what is told of it. */
export class Troubles {
  readonly #world: FleetWorld;
  readonly #events: EventLog;
  #live: Subject | null = null;
  #crashes: CrashRecord = NO_CRASHES;
  #sentence: string | null = null;
  /** What failed of deployments that are not live, and may be about to be. */
  readonly #unclaimed: Failed[] = [];
  /** By member: what was said when it was counted as one that hung. */
  readonly #hung = new Map<string, string>();

  constructor(world: FleetWorld, events: EventLog) {
    this.#world = world;
    this.#events = events;
  }

  get crashes(): CrashRecord {
    return this.#crashes;
  }

  /** What is wrong, for a person; null when nothing is. */
  get sentence(): string | null {
    return this.#sentence;
  }

  get areAny(): boolean {
    return this.#crashes !== NO_CRASHES || this.#sentence !== null;
  }

  /** Another deployment is live. */
  begin(live: Subject | null, sentence: string | null): void {
    this.#live = live;
    this.#crashes = NO_CRASHES;
    this.#sentence = sentence;
    this.#hung.clear();
    for (const failed of this.#unclaimed.splice(0)) {
      if (failed.member.deploymentId === live?.deployment.id) this.note(failed);
    }
  }

  note(failed: Failed): void {
    const live = this.#live;
    if (failed.member.deploymentId !== live?.deployment.id) return void this.#unclaimed.push(failed);
    // One that hung was counted when it was found to.
    const before = this.#crashes;
    if (isMachineLost(failed.failure)) this.#takeBack(failed.member.id);
    if (failed.failure.kind !== 'hung') this.#count(live, failed.failure);
    const begins = !isCrashLoop(before) && isCrashLoop(this.#crashes) ? this.#sentence : null;
    void this.#tell(live, failed, begins);
  }

  /**
   * It runs, and does not answer: another one takes its place, as if it had ended. It may come round; then nothing is
   * told.
   */
  noteHung({ id, deploymentId, startedAtMs, ailment }: Member): void {
    const live = this.#live;
    if (deploymentId !== live?.deployment.id) return;
    const message = `Instances keep hanging soon after their start: ${ailment}. See the log of the deployment.`;
    const before = this.#crashes.count;
    this.#count(live, { kind: 'hung', message, livedMs: nowOf(this.#world) - startedAtMs });
    if (this.#crashes.count > before) this.#hung.set(id, message);
  }

  /** A release has come to its end: what failed of others is its own affair. */
  forgetUnclaimed(): void {
    this.#unclaimed.length = 0;
  }

  /** An instance has stayed up. */
  recover(deploymentId: string): void {
    if (this.#sentence !== null) {
      void this.#events.tell(deploymentId, { severity: 'INFO', message: 'Instances stay up again.' });
    }
    [this.#crashes, this.#sentence] = [NO_CRASHES, null];
    this.#hung.clear();
  }

  /** Checks may notice before the runtime does that nobody answers on a machine that is lost. */
  #takeBack(memberId: string): void {
    const message = this.#hung.get(memberId);
    if (message === undefined) return;
    this.#hung.delete(memberId);
    this.#crashes = takeBackHung(this.#crashes, message);
    if (this.#sentence === message) this.#sentence = this.#crashes.trouble;
  }

  #count({ deployment: { run } }: Subject, failure: Failure): void {
    const { timing } = this.#world;
    this.#crashes = noteFailure(this.#crashes, failure, {
      nowMs: nowOf(this.#world),
      memoryMb: run.memoryMb,
      timing,
    });
    this.#sentence = this.#crashes.trouble ?? this.#sentence;
  }

  async #tell(live: Subject, failed: Failed, loop: string | null): Promise<void> {
    await tellFailure(this.#events, live, failed);
    if (loop !== null) this.#events.note(live.deployment.id, { severity: 'ERROR', message: `Crash loop. ${loop}` });
  }
}
