import { storable } from '../deployments/storable.ts';
import { appendInTurn } from '../deployments/log-store.ts';
import type { FleetWorld } from './fleet-world.ts';
import { nowOf } from './fleet-world.ts';

const LINES_PER_HOUR = 200;
const HOUR_MS = 3_600_000;

/** What happens to a deployment's instances, told in its log; so many lines an hour, however often they crash. */
export class EventLog {
  readonly #world: FleetWorld;
  #hour = { sinceMs: 0, left: LINES_PER_HOUR };

  constructor(world: FleetWorld) {
    this.#world = world;
  }

  /** The platform's own sentence, and what the instance said last. Never fails. */
  async tell(deploymentId: string, sentence: string, output: readonly string[] = []): Promise<void> {
    const all = [...output, `==> ${sentence}`];
    const lines = all.slice(all.length - this.#take(all.length));
    if (lines.length === 0) return;
    const { store, log } = this.#world;
    await appendInTurn(store.db, deploymentId, lines.map(storable)).catch((error: unknown) =>
      log.warn({ err: error, deployment: deploymentId }, 'an event was not written'),
    );
  }

  #take(count: number): number {
    const nowMs = nowOf(this.#world);
    if (nowMs - this.#hour.sinceMs > HOUR_MS) this.#hour = { sinceMs: nowMs, left: LINES_PER_HOUR };
    const taken = Math.min(count, this.#hour.left);
    this.#hour.left -= taken;
    return taken;
  }
}
