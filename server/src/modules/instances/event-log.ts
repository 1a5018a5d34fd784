import { makeSafe } from '../../logs/make-safe.ts';
import { appendInTurn } from '../deployments/log-store.ts';
import { storable } from '../deployments/storable.ts';
import type { News } from '../deployments/tell-environment.ts';
import type { FleetWorld } from './fleet-world.ts';
import { nowOf } from './fleet-world.ts';

const LINES_PER_HOUR = 200;
/** Of what is told in the environment's log: what went wrong, and what is as it should be. */
const TROUBLES_PER_HOUR = 200;
const ROUTINE_PER_HOUR = 100;
const HOUR_MS = 3_600_000;

/**
 * What happens to an environment's instances: told in its log, and what went wrong in that of the deployment
 * too. So many lines an hour, however often they crash. There is no transaction that it could be part of:
 * processes end when they end.
 */
export class EventLog {
  readonly #world: FleetWorld;
  readonly #environmentId: string;
  readonly #ofDeployment: Allowance;
  readonly #troubles: Allowance;
  readonly #routine: Allowance;

  constructor(world: FleetWorld, environmentId: string) {
    this.#world = world;
    this.#environmentId = environmentId;
    this.#ofDeployment = new Allowance(world, LINES_PER_HOUR);
    this.#troubles = new Allowance(world, TROUBLES_PER_HOUR);
    this.#routine = new Allowance(world, ROUTINE_PER_HOUR);
  }

  /**
   * The platform's own sentence, and what the instance said last: the environment's log has that already. Never fails.
   */
  async tell(deploymentId: string, news: News, output: readonly string[] = []): Promise<void> {
    this.note(deploymentId, news);
    const all = [...output, `==> ${news.message}`];
    const lines = all.slice(all.length - this.#ofDeployment.take(all.length));
    if (lines.length === 0) return;
    const { store, log } = this.#world;
    await appendInTurn(store.db, deploymentId, lines.map(storable)).catch((error: unknown) =>
      log.warn({ err: error, deployment: deploymentId }, 'an event was not written'),
    );
  }

  /** In the environment's log only. */
  note(deploymentId: string, news: News): void {
    const isTrouble = news.severity === 'ERROR' || news.severity === 'WARN';
    const allowance = isTrouble ? this.#troubles : this.#routine;
    if (allowance.take(1) === 0) return;
    this.#add(deploymentId, news);
    if (!allowance.isSpent) return;
    const kind = isTrouble ? 'What goes wrong with instances' : 'What instances do';
    this.#add(deploymentId, {
      severity: 'WARN',
      message: `${kind} is not told for the rest of this hour: it was too much.`,
    });
  }

  #add(deploymentId: string, { severity, message }: News): void {
    const entry = { severity, message: makeSafe(message), instanceId: null, deploymentId };
    this.#world.lines.add(this.#environmentId, { atMs: nowOf(this.#world), ...entry });
  }
}

/** So many an hour. */
class Allowance {
  readonly #world: FleetWorld;
  readonly #perHour: number;
  #hour = { sinceMs: 0, left: 0 };

  constructor(world: FleetWorld, perHour: number) {
    this.#world = world;
    this.#perHour = perHour;
  }

  get isSpent(): boolean {
    return this.#hour.left === 0;
  }

  take(count: number): number {
    const nowMs = nowOf(this.#world);
    if (nowMs - this.#hour.sinceMs > HOUR_MS) this.#hour = { sinceMs: nowMs, left: this.#perHour };
    const taken = Math.min(count, this.#hour.left);
    this.#hour.left -= taken;
    return taken;
  }
}
