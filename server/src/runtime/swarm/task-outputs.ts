import type { InstanceOutputs } from '../output/instance-outputs.ts';
import type { Exit, InstanceOutput, OutputPosition } from '../runtime.ts';
import type { TaskControl } from './control-client.ts';
import type { LastLook } from './last-look.ts';
import { describeSeen } from './swarm-view.ts';

interface TaskOutputsDeps {
  /** Those of instances that were stopped, brought to this machine. */
  kept: InstanceOutputs;
  last: LastLook;
  exits: ReadonlyMap<string, Exit>;
  /** Null for what is not there, or is on a machine that is gone. */
  control: (instanceId: string) => Promise<TaskControl | null>;
}

/** What instances wrote: with their tasks while these are there, here afterwards. */
export class TaskOutputs {
  /** Up to where somebody has the output of those that are still there. */
  readonly released = new Map<string, OutputPosition>();
  readonly #deps: TaskOutputsDeps;

  constructor(deps: TaskOutputsDeps) {
    this.#deps = deps;
  }

  async list(): Promise<InstanceOutput[]> {
    const { kept, last, exits } = this.#deps;
    const there = (await last.recent()).map((seen): InstanceOutput => {
      const { id, organisationId, environmentId, deploymentId, exit } = describeSeen(seen, null);
      const isOver = exit !== null || exits.has(id);
      return { instanceId: id, organisationId, environmentId, deploymentId, isOver, isStopped: false };
    });
    const ids = new Set(there.map(({ instanceId }) => instanceId));
    const stopped = kept.list().filter(({ instanceId }) => !ids.has(instanceId));
    return [...there, ...stopped.map((labels) => ({ ...labels, isOver: true, isStopped: true }))];
  }

  async read(instanceId: string, from: OutputPosition, maxBytes: number) {
    const { kept, control } = this.#deps;
    const task = await control(instanceId);
    return task ? task.output(from, maxBytes) : kept.read(instanceId, from, maxBytes);
  }

  async release(instanceId: string, before: OutputPosition): Promise<void> {
    const { kept, control } = this.#deps;
    const task = await control(instanceId);
    if (!task) return kept.release(instanceId, before);
    this.released.set(instanceId, before);
    await task.release(before);
  }

  async forget(instanceId: string): Promise<void> {
    const { kept, last } = this.#deps;
    await last.recent();
    if (last.get(instanceId)) throw new Error(`the output of ${instanceId} cannot be removed: it was not stopped`);
    kept.forget(instanceId);
  }
}
