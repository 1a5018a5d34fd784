import type { SwarmService } from './engine.ts';
import type { SeenInstance } from './swarm-view.ts';
import type { TaskPlace } from './swarm-tasks.ts';

/**
 * As long as an address of the sandbox rests: an edge that hears nothing of the store relies on it
 * (`edge/routes/address-watch.ts`). Engines give ports in their order and come round late, but begin anew when they
 * are restarted.
 */
const REST_MS = 60_000;

/** Which addresses instances have had lately, and of which environment. */
export class AddressRest {
  readonly #restMs: number;
  readonly #last = new Map<string, { environmentId: string; untilMs: number }>();

  constructor(restMs = REST_MS) {
    this.#restMs = restMs;
  }

  see(instances: readonly SeenInstance[]): void {
    const nowMs = performance.now();
    for (const [address, { untilMs }] of this.#last) if (untilMs <= nowMs) this.#last.delete(address);
    for (const { claim, service } of instances) {
      const environmentId = environmentOf(service);
      this.#last.set(addressText(claim), { environmentId, untilMs: nowMs + this.#restMs });
    }
  }

  /** Another environment's instance has it, or had it a moment ago. */
  isAnothers(place: Pick<TaskPlace, 'host' | 'port'>, service: SwarmService): boolean {
    const last = this.#last.get(addressText(place));
    return last !== undefined && last.environmentId !== environmentOf(service) && performance.now() < last.untilMs;
  }
}

const environmentOf = ({ Spec }: SwarmService): string => Spec.Labels['lilac.environment'] ?? '';
const addressText = ({ host, port }: Pick<TaskPlace, 'host' | 'port'>): string => `${host} ${port}`;
