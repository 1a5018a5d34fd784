import { dayOf } from '../../../db/day-partitions.ts';
import { readUsage } from '../../../logs/usage-store.ts';
import type { InstanceOutput } from '../../../runtime/runtime.ts';
import type { CollectorDeps } from './collector.ts';
import { EnvironmentIntake } from './environment-intake.ts';

/** How often it is asked what other processes have written into the same logs. */
const LEARN_EVERY_MS = 30_000;

/** What waits to be stored, by environment. */
export class Intakes {
  readonly #deps: Pick<CollectorDeps, 'store' | 'config' | 'clock'>;
  readonly #byEnvironment = new Map<string, EnvironmentIntake>();

  constructor(deps: Pick<CollectorDeps, 'store' | 'config' | 'clock'>) {
    this.#deps = deps;
  }

  of(environmentId: string): EnvironmentIntake {
    const known = this.#byEnvironment.get(environmentId);
    if (known) return known;
    const made = new EnvironmentIntake(this.#deps.config.logCaps, this.#nowMs());
    this.#byEnvironment.set(environmentId, made);
    return made;
  }

  /** The bytes of all messages that wait. */
  get bytes(): number {
    let bytes = 0;
    for (const intake of this.#byEnvironment.values()) bytes += intake.bytes;
    return bytes;
  }

  /** How much of today's share was used before: by an earlier process, or by others that write. */
  async learn(outputs: readonly InstanceOutput[]): Promise<void> {
    const nowMs = this.#nowMs();
    const ids = [...new Set(outputs.map(({ environmentId }) => environmentId))].filter((id) =>
      this.of(id).isToLearn(nowMs, LEARN_EVERY_MS),
    );
    if (ids.length === 0) return;
    const day = dayOf(nowMs);
    const usage = await readUsage(this.#deps.store.db, ids, day);
    for (const [id, { bytes }] of usage) this.of(id).learn(day, bytes, nowMs);
  }

  /** Tells what was dropped, where that is due; gives the environments that have left it behind. */
  mark(isLast: boolean): string[] {
    const nowMs = this.#nowMs();
    return [...this.#byEnvironment].flatMap(([id, intake]) => (intake.mark(nowMs, isLast) ? [id] : []));
  }

  take(): { environmentId: string; entries: EnvironmentIntake['entries']; droppedLines: number }[] {
    return [...this.#byEnvironment]
      .filter(([, { entries }]) => entries.length > 0)
      .map(([environmentId, intake]) => ({ environmentId, ...intake.take() }));
  }

  /** Those of environments that have no instance any more. */
  forgetExcept(environmentIds: ReadonlySet<string>): void {
    const nowMs = this.#nowMs();
    for (const [id, intake] of this.#byEnvironment) {
      if (!environmentIds.has(id) && intake.isRested(nowMs)) this.#byEnvironment.delete(id);
    }
  }

  #nowMs(): number {
    return this.#deps.clock.now().getTime();
  }
}
