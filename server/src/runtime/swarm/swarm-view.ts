import type { Exit, Instance } from '../runtime.ts';
import { readClaims, type TaskClaim } from './claims.ts';
import type { SwarmEngine, SwarmService } from './engine.ts';
import { hasEndedItself, isLive, type SwarmNode, type SwarmTask } from './swarm-tasks.ts';
import type { SwarmWorld } from './swarm-world.ts';

/** An instance as the swarm has it at one moment. */
export interface SeenInstance {
  claim: TaskClaim;
  service: SwarmService;
  task: SwarmTask | null;
  /** Its task runs, on a machine that is there. */
  isLive: boolean;
}

export interface SwarmView {
  /** When it was begun to be looked at, by the monotonic clock. */
  begunAt: number;
  services: SwarmService[];
  tasks: SwarmTask[];
  nodes: ReadonlyMap<string, SwarmNode>;
  instances: SeenInstance[];
}

/** Without those that are just being started: nothing can be said of them yet. */
export async function readSwarm({ engine, starting }: Pick<SwarmWorld, 'engine' | 'starting'>): Promise<SwarmView> {
  const begunAt = performance.now();
  const [services, nodes] = await Promise.all([engine.services(), engine.nodes()]);
  const tasks = await engine.tasks(services.map(({ ID }) => ID));
  const byId = new Map(tasks.map((task) => [task.ID, task]));
  const instances = services.flatMap((service) =>
    readClaims(service.Spec.Labels).map((claim): SeenInstance => {
      const task = byId.get(claim.taskId) ?? null;
      return { claim, service, task, isLive: task !== null && isLive(task, nodes) };
    }),
  );
  const settled = instances.filter(({ claim }) => !starting.has(claim.instanceId));
  return { begunAt, services, tasks, nodes, instances: settled };
}

export async function isTaskLive(engine: SwarmEngine, serviceId: string, taskId: string): Promise<boolean> {
  const [tasks, nodes] = await Promise.all([engine.tasks([serviceId]), engine.nodes()]);
  const task = tasks.find(({ ID }) => ID === taskId);
  return task !== undefined && isLive(task, nodes);
}

/** `told`: what the task's first process said of the program's end. */
export function describeSeen({ claim, service, task, isLive: lives }: SeenInstance, told: Exit | null): Instance {
  const { 'lilac.organisation': organisationId = '', 'lilac.environment': environmentId = '' } = service.Spec.Labels;
  const deploymentId = service.Spec.Labels['lilac.deployment'] ?? '';
  const { instanceId: id, host, port, startedAt } = claim;
  const exit = told ?? (lives ? null : exitOfTask(task));
  return { id, organisationId, environmentId, deploymentId, host, port, startedAt, exit };
}

/**
 * The task itself has ended: its first process died, or its machine is gone. Whether memory ran out the swarm does not
 * say: an engine that restarts kills its containers with the same signal as the kernel does.
 */
export function exitOfTask(task: SwarmTask | null): Exit {
  const exit: Exit = { exitCode: null, isOutOfMemory: false };
  // Of what ended before its machine was lost, the machine had told.
  return task === null || hasEndedItself(task) ? exit : { ...exit, isMachineLost: true };
}
