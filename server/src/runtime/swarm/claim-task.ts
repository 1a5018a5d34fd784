import { setTimeout as delay } from 'node:timers/promises';
import { StartRefused, type InstanceSpec } from '../runtime.ts';
import type { Tools } from '../tools.ts';
import { readClaims, withClaims, type TaskClaim } from './claims.ts';
import { ControlRefused, type TaskControl } from './control-client.ts';
import type { SwarmService } from './engine.ts';
import type { Claim, TaskStatus } from './init/agreement.ts';
import type { OneAtATime } from './one-at-a-time.ts';
import { parcelsOf } from './parcels.ts';
import { splitEnv } from './service-spec.ts';
import { isTaskLive } from './swarm-view.ts';
import { controlOf, type SwarmWorld } from './swarm-world.ts';
import type { FoundTask } from './take-task.ts';

const LOOK_MS = 50;
/** What was sent before its network was there is lost, and would be sent again late; on a busy machine it takes long. */
const FIRST_WORD_MS = 300;
const MOST_WORD_MS = 5000;
const FIRST_WORD_WITHIN_MS = 60_000;
/** Whether it is there at all is asked after so many tries. */
const LOOK_EVERY = 5;

export interface ClaimDeps {
  world: SwarmWorld;
  turns: OneAtATime;
  service: SwarmService;
  tools: Tools;
  until: number;
  /** Whoever has noted a task waits for none. */
  wait: { end(): void };
}

/**
 * Makes a task that waits this instance; false when it is no more, or nobody's to have. It is noted first and claimed
 * then. So whoever is killed in between leaves a note of a task that waits, which is taken back, and never a program
 * that nobody knows; and a task that says it is an instance, and is noted nowhere, is one that was given up.
 */
export async function claimTask(spec: InstanceSpec, { task, place }: FoundTask, deps: ClaimDeps): Promise<boolean> {
  const { world, turns, service, until, wait } = deps;
  const name = service.Spec.Name;
  const control = controlOf(world, name, place);
  const status = await firstStatus((timeoutMs) => control.status(timeoutMs), {
    until,
    isThere: () => isTaskLive(world.engine, service.ID, task.ID),
  });
  if (!status) return false;
  if (status.instanceId !== null && status.instanceId !== spec.id) {
    await control.end();
    return false;
  }
  const claim = await describeClaim(spec, { ...deps, port: place.port, nodeVersion: status.nodeVersion });
  const note: TaskClaim = { ...place, taskId: task.ID, instanceId: spec.id, startedAt: new Date() };
  await turns.run(name, async () => {
    await changeClaims(world, service, (claims) => [...claims.filter(({ taskId }) => taskId !== task.ID), note]);
    wait.end();
  });
  try {
    await control.claim(claim);
    return true;
  } catch (error) {
    await giveUp(note, control, deps);
    if (error instanceof ControlRefused && error.status === 409) return false;
    throw error instanceof ControlRefused && error.status === 422 ? new StartRefused(error.message) : error;
  }
}

/** A task that was noted and is still waiting, or will never be used: whoever is next may have it, if anybody can. */
export async function takeBack(
  { taskId, instanceId }: Pick<TaskClaim, 'taskId' | 'instanceId'>,
  { world, turns, service }: Pick<ClaimDeps, 'world' | 'turns' | 'service'>,
): Promise<void> {
  const isIt = (each: TaskClaim) => each.taskId === taskId && each.instanceId === instanceId;
  await turns.run(service.Spec.Name, () =>
    changeClaims(world, service, (claims) => claims.filter((each) => !isIt(each))),
  );
}

/** It ends first: were it not to, and its note gone, it would be ended as one that nobody knows. */
async function giveUp(note: TaskClaim, control: TaskControl, deps: ClaimDeps): Promise<void> {
  await control.end().catch(() => {});
  // A note that stays is found: it is listed, so somebody stops it.
  await takeBack(note, deps).catch((error: unknown) =>
    deps.world.log.warn({ err: error }, 'a claim cannot be taken back'),
  );
}

async function changeClaims(
  { engine }: SwarmWorld,
  { ID }: SwarmService,
  change: (claims: TaskClaim[]) => TaskClaim[],
): Promise<void> {
  await engine.change(ID, async ({ Spec: { Labels, Mode } }) => ({
    replicas: Mode.Replicated.Replicas,
    labels: withClaims(Labels, change(readClaims(Labels))),
  }));
}

async function describeClaim(
  spec: InstanceSpec,
  { world, tools, port, nodeVersion }: Pick<ClaimDeps, 'world' | 'tools'> & { port: number; nodeVersion: string },
): Promise<Claim> {
  const { id: instanceId, organisationId, environmentId, deploymentId } = spec;
  const [parcels, reach] = await Promise.all([
    parcelsOf(spec, { objects: world.objects, tools, nodeVersion, sealKey: world.controlKey }),
    world.reaches.of(organisationId),
  ]);
  return { instanceId, organisationId, environmentId, deploymentId, port, env: splitEnv(spec).own, parcels, reach };
}

/** Its first process needs a moment to listen. Null when it is no more, or never says a word. */
async function firstStatus(
  ask: (timeoutMs: number) => Promise<TaskStatus>,
  { until, isThere }: { until: number; isThere: () => Promise<boolean> },
): Promise<TaskStatus | null> {
  const giveUpAt = Math.min(until, Date.now() + FIRST_WORD_WITHIN_MS);
  for (let tries = 1; ; tries++) {
    try {
      return await ask(Math.min(MOST_WORD_MS, FIRST_WORD_MS * tries));
    } catch (error) {
      if (error instanceof ControlRefused) throw error;
      if (Date.now() > giveUpAt || (tries % LOOK_EVERY === 0 && !(await isThere()))) return null;
    }
    await delay(LOOK_MS);
  }
}
