import { setTimeout as delay } from 'node:timers/promises';
import { readClaims, withClaims } from './claims.ts';
import { isAnother, type TaskControl } from './control-client.ts';
import { keepRest } from './keep-rest.ts';
import type { OneAtATime } from './one-at-a-time.ts';
import type { InstanceOutputs } from '../output/instance-outputs.ts';
import type { OutputPosition } from '../runtime.ts';
import { lowerReplicas } from './slots.ts';
import { controlOf, type SwarmWorld } from './swarm-world.ts';
import { describeSeen, isTaskLive, type SeenInstance } from './swarm-view.ts';

const LOOK_MS = 50;
const TRY_AGAIN_MS = 200;
/** A machine that does not answer for so long is lost, or will be said to be. */
const PATIENCE_MS = 60_000;

export interface StopDeps {
  world: SwarmWorld;
  turns: OneAtATime;
  outputs: InstanceOutputs;
  /** Up to where somebody has its output. */
  released: ReadonlyMap<string, OutputPosition>;
}

/**
 * Ends exactly this task: its first process ends well, so the swarm has one less to replace. What cannot be had of it
 * in time is left: its program may be asked in vain, and its output may be out of reach; the end comes all the same.
 */
export async function stopTask(seen: SeenInstance, graceMs: number, deps: StopDeps): Promise<void> {
  const { world, turns } = deps;
  const { claim, service } = seen;
  if (seen.isLive) {
    const control = controlOf(world, service.Spec.Name, claim);
    const warn = (error: unknown, what: string) => world.log.warn({ err: error, instance: claim.instanceId }, what);
    await insist(seen, world, () => control.stop(graceMs)).catch((error) => warn(error, 'its program does not end'));
    await insist(seen, world, () => bringRest(seen, control, deps)).catch((error) => warn(error, 'its output is lost'));
    await endTask(seen, control, world).catch((error) => {
      world.silent.add(claim.taskId);
      warn(error, 'its task does not end; it is tried again');
    });
  }
  await turns.run(service.Spec.Name, () => forget(seen, world));
}

function bringRest(seen: SeenInstance, control: TaskControl, { outputs, released }: StopDeps): Promise<void> {
  const { instanceId } = seen.claim;
  const labels = { ...describeSeen(seen, null), instanceId };
  return keepRest({ control, outputs, labels, from: released.get(instanceId) ?? { stdout: 0, stderr: 0 } });
}

async function endTask(seen: SeenInstance, control: TaskControl, world: SwarmWorld): Promise<void> {
  if (!(await insist(seen, world, () => control.end()))) return;
  const until = Date.now() + PATIENCE_MS;
  while (await isStillLive(seen, world)) {
    if (Date.now() > until) throw new Error(`the task of ${seen.claim.instanceId} does not end`);
    await delay(LOOK_MS);
  }
}

/** Until it is done; false when there is nobody left to do it. */
async function insist(seen: SeenInstance, world: SwarmWorld, work: () => Promise<void>): Promise<boolean> {
  const until = Date.now() + PATIENCE_MS;
  for (;;) {
    await world.leadership.certain();
    try {
      await work();
      return true;
    } catch (error) {
      if (isAnother(error) || !(await isStillLive(seen, world))) return false;
      if (Date.now() > until) throw error;
      await delay(TRY_AGAIN_MS);
    }
  }
}

const isStillLive = ({ claim, service }: SeenInstance, { engine }: SwarmWorld): Promise<boolean> =>
  isTaskLive(engine, service.ID, claim.taskId);

/**
 * The last takes the service with it, and so does Swarm with whatever is left of its tasks. One that did not end, and
 * is not the last, is from here on a task that nobody has: these are ended again and again (`SpareSweep`).
 */
async function forget({ claim, service }: SeenInstance, world: SwarmWorld): Promise<void> {
  const { engine, waiting, leadership } = world;
  let isLast = false;
  await engine.change(service.ID, async ({ Spec }) => {
    // Each time: whoever was faster may be whoever leads by now.
    await leadership.certain();
    const claims = readClaims(Spec.Labels).filter((each) => each.instanceId !== claim.instanceId);
    isLast = claims.length === 0 && (waiting.get(Spec.Name) ?? 0) === 0;
    if (isLast) return null;
    const replicas = lowerReplicas(Spec.Mode.Replicated.Replicas, await engine.tasks([service.ID]));
    return { replicas, labels: withClaims(Spec.Labels, claims) };
  });
  if (!isLast) return;
  await leadership.certain();
  await engine.removeService(service);
}
