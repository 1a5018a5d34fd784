import type { InstanceOutput } from '../../../runtime/runtime.ts';
import type { CollectorDeps } from './collector.ts';
import { OutputSource } from './output-source.ts';
import { deletePositions, readPositions } from './position-store.ts';

/** Everything on this host that has output, and how far it is read. */
export class Sources {
  readonly #deps: Pick<CollectorDeps, 'store' | 'runtime' | 'log'>;
  readonly #byInstance = new Map<string, OutputSource>();
  /** Environments that are gone: their output is wanted by nobody. */
  readonly #gone = new Set<string>();

  constructor(deps: Pick<CollectorDeps, 'store' | 'runtime' | 'log'>) {
    this.#deps = deps;
  }

  /** Null for one whose output is wanted by nobody. */
  find(instanceId: string): OutputSource | null {
    const source = this.#byInstance.get(instanceId);
    return !source || this.#gone.has(source.environmentId) ? null : source;
  }

  toBeStored(): OutputSource[] {
    return [...this.#byInstance.values()].filter(({ isToBeStored }) => isToBeStored);
  }

  async follow(outputs: readonly InstanceOutput[]): Promise<void> {
    if (this.#byInstance.size > outputs.length) this.#forgetVanished(outputs);
    const added = outputs.filter(({ instanceId }) => !this.#byInstance.has(instanceId));
    if (added.length === 0) return;
    const ids = added.map(({ instanceId }) => instanceId);
    const positions = await readPositions(this.#deps.store.db, ids);
    for (const output of added) {
      const { instanceId } = output;
      this.#byInstance.set(instanceId, new OutputSource(output, positions.get(instanceId) ?? null));
    }
  }

  /** What was dropped of the environment has been told. */
  leaveBehind(environmentId: string): void {
    for (const source of this.#byInstance.values()) {
      if (source.environmentId === environmentId) source.leaveBehind();
    }
  }

  noteGone(environmentIds: Iterable<string>): void {
    for (const id of environmentIds) this.#gone.add(id);
  }

  /** The output first: were the position gone and the output there, it would be stored again. */
  async forgetDrained(outputs: readonly InstanceOutput[]): Promise<void> {
    const ids = outputs.filter((output) => output.isStopped && this.#isDone(output)).map((each) => each.instanceId);
    if (ids.length === 0) return;
    const forgotten = [];
    for (const id of ids) if (await this.#forget(id)) forgotten.push(id);
    if (forgotten.length > 0) await deletePositions(this.#deps.store.db, forgotten);
  }

  /** One that cannot be is tried in the next round: it keeps no other from being collected. */
  async #forget(id: string): Promise<boolean> {
    try {
      await this.#deps.runtime.forgetOutput(id);
      this.#byInstance.delete(id);
      return true;
    } catch (error) {
      this.#deps.log.debug({ err: error, instance: id }, 'output that is stored cannot be removed yet');
      return false;
    }
  }

  #isDone({ instanceId, environmentId }: InstanceOutput): boolean {
    return this.#gone.has(environmentId) || (this.#byInstance.get(instanceId)?.isDrained ?? false);
  }

  #forgetVanished(outputs: readonly InstanceOutput[]): void {
    const ids = new Set(outputs.map(({ instanceId }) => instanceId));
    for (const id of this.#byInstance.keys()) if (!ids.has(id)) this.#byInstance.delete(id);
  }
}
