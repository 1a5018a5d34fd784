import { setTimeout as delay } from 'node:timers/promises';
import { readClaims, withClaims } from './claims.ts';
import { keepRest } from './keep-rest.ts';
import type { OneAtATime } from './one-at-a-time.ts';
import type { InstanceOutputs } from '../output/instance-outputs.ts';
import type { OutputPosition } from '../runtime.ts';
import { countSlots, isLive, type SwarmTask } from './swarm-tasks.ts';
import { controlOf, type SwarmWorld } from './swarm-world.ts';
import { describeSeen, type SeenInstance } from './swarm-view.ts';
import type { SwarmEngine } from './engine.ts';
import type { TaskControl } from './control-client.ts';

const LOOK_MS = 50;
/** A machine that does not answer for so long is lost, or will be said to be. */
const PATIENCE_MS = 60_000;

export interface StopDeps {
  world: SwarmWorld;
  turns: OneAtATime;
  outputs: InstanceOutputs;
  /** Up to where somebody has its output. */
  released: ReadonlyMap<string, OutputPosition>;
}

/** Ends exactly this task: its first process ends well, so the swarm has one less to replace. */
export async function stopTask(seen: SeenInstance, graceMs: number, deps: StopDeps): Promise<void> {
  const { world, turns, outputs, released } = deps;
  const { claim, service } = seen;
  const control = controlOf(world, service.Spec.Name, claim);
  if (seen.isLive) {
    await insist(seen, world, async () => {
      await control.stop(graceMs);
      const labels = { ...describeSeen(seen, null), instanceId: claim.instanceId };
      await keepRest({ control, outputs, labels, from: released.get(claim.instanceId) ?? { stdout: 0, stderr: 0 } });
    });
    await endTask(seen, control, world);
  }
  await turns.run(service.Spec.Name, () => forget(seen, world));
}

async function endTask(seen: SeenInstance, control: TaskControl, world: SwarmWorld): Promise<void> {
  await insist(seen, world, () => control.end());
  const until = Date.now() + PATIENCE_MS;
  while (await isStillLive(seen, world)) {
    if (Date.now() > until) throw new Error(`the task of ${seen.claim.instanceId} does not end`);
    await delay(LOOK_MS);
  }
}

/** Until it is done, or there is nobody left to do it. */
async function insist(seen: SeenInstance, world: SwarmWorld, work: () => Promise<void>): Promise<void> {
  const until = Date.now() + PATIENCE_MS;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!(await isStillLive(seen, world))) return;
      if (Date.now() > until) throw error;
      await delay(LOOK_MS * 4);
    }
  }
}

async function isStillLive({ claim, service }: SeenInstance, { engine }: SwarmWorld): Promise<boolean> {
  const [tasks, nodes] = await Promise.all([engine.tasks([service.ID]), engine.nodes()]);
  const task = tasks.find(({ ID }) => ID === claim.taskId);
  return task !== undefined && isLive(task, nodes);
}

/** The swarm is told of one less when there is one less: it has none to choose. The last takes the service with it. */
async function forget({ claim, service, task }: SeenInstance, { engine, waiting }: SwarmWorld): Promise<void> {
  let isLast = false;
  await engine.change(service.ID, async ({ Spec }) => {
    const claims = readClaims(Spec.Labels).filter((each) => each.instanceId !== claim.instanceId);
    isLast = claims.length === 0 && (waiting.get(Spec.Name) ?? 0) === 0;
    if (isLast) return null;
    const replicas = await replicasWithout(task, service.ID, { engine, replicas: Spec.Mode.Replicated.Replicas });
    return { replicas, labels: withClaims(Spec.Labels, claims) };
  });
  if (isLast) await engine.removeService(service);
}

/** What was lost or failed the swarm has replaced itself, in the same slot: then there is not one less. */
export async function replicasWithout(
  task: SwarmTask | null,
  serviceId: string,
  { engine, replicas }: { engine: SwarmEngine; replicas: number },
): Promise<number> {
  const tasks = await engine.tasks([serviceId]);
  const isReplaced = task === null || countSlots(tasks.filter(({ Slot }) => Slot === task.Slot)) > 0;
  return Math.max(isReplaced ? replicas : replicas - 1, countSlots(tasks));
}
