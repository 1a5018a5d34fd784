import { setTimeout as delay } from 'node:timers/promises';
import { StartRefused, type InstanceSpec } from '../runtime.ts';
import type { Tools } from '../tools.ts';
import { claimUntilGone } from './claim-until-gone.ts';
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
/**
 * What was sent before its network was there is lost, and would be sent again late; on a busy machine it takes long.
 */
const FIRST_WORD_MS = 300;
const MOST_WORD_MS = 5000;
const FIRST_WORD_WITHIN_MS = 30_000;
/** Whether it is there at all is asked after so many tries. */
const LOOK_EVERY = 5;
/** Whoever keeps the files may be away for a moment. */
const FILES_AGAIN_MS = 1000;
const AWAY = 'The object store, which keeps the files of deployments, does not answer. Deploy again when it does.';

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
  const { world, service, until } = deps;
  const control = controlOf(world, service.Spec.Name, place);
  const isThere = () => isTaskLive(world.engine, service.ID, task.ID);
  const status = await firstStatus((timeoutMs) => control.status(timeoutMs), { until, isThere });
  if (!status) {
    world.silent.add(task.ID);
    return false;
  }
  if (status.instanceId !== null && status.instanceId !== spec.id) {
    await endGivenUp(task.ID, control, deps);
    return false;
  }
  const claim = await describeClaim(spec, { ...deps, port: place.port, nodeVersion: status.nodeVersion });
  const note: TaskClaim = { ...place, taskId: task.ID, instanceId: spec.id, startedAt: new Date() };
  if (!(await noteClaim(note, deps))) return false;
  await world.leadership.certain();
  try {
    if (await claimUntilGone(claim, { control, isThere })) return true;
    await takeBackLater(note, deps);
    return false;
  } catch (error) {
    const refusal = error instanceof ControlRefused ? error.status : null;
    // What is another's is not ours to end.
    if (refusal !== 409) await control.end().catch(() => {});
    await takeBackLater(note, deps);
    if (refusal === 409) return false;
    throw refusal === 422 ? new StartRefused((error as Error).message) : error;
  }
}

/** A task that was noted and is still waiting, or will never be used: whoever is next may have it, if anybody can. */
export async function takeBack(
  { taskId, instanceId }: Pick<TaskClaim, 'taskId' | 'instanceId'>,
  { world, turns, service }: Pick<ClaimDeps, 'world' | 'turns' | 'service'>,
): Promise<void> {
  const isIt = (each: TaskClaim) => each.taskId === taskId && each.instanceId === instanceId;
  await world.leadership.certain();
  await turns.run(service.Spec.Name, () =>
    changeClaims(world, service, (claims) => claims.filter((each) => !isIt(each))),
  );
}

/** It ends before its note goes: were it not to, it would be ended as one that nobody knows. */
async function takeBackLater(note: TaskClaim, deps: ClaimDeps): Promise<void> {
  // A note that stays is found: it is listed, so somebody stops it.
  await takeBack(note, deps).catch((error: unknown) =>
    deps.world.log.warn({ err: error }, 'a claim cannot be taken back'),
  );
}

/** Somebody gave it up and could not end it; unless whoever leads by now has noted it since it was looked at. */
async function endGivenUp(taskId: string, control: TaskControl, { world, service }: ClaimDeps): Promise<void> {
  await world.leadership.certain();
  const claims = readClaims((await world.engine.find(service.Spec.Name))?.Spec.Labels ?? {});
  if (!claims.some((claim) => claim.taskId === taskId)) await control.end();
}

/** False where it is somebody else's since it was looked at, or its service is no more. */
async function noteClaim(note: TaskClaim, { world, turns, service, wait }: ClaimDeps): Promise<boolean> {
  let isNoted = false;
  await world.leadership.certain();
  await turns.run(service.Spec.Name, async () => {
    await changeClaims(world, service, (claims) => {
      const others = claims.filter(({ taskId }) => taskId !== note.taskId);
      isNoted = claims.every(({ taskId, instanceId }) => taskId !== note.taskId || instanceId === note.instanceId);
      return isNoted ? [...others, note] : null;
    });
    if (isNoted) wait.end();
  });
  return isNoted;
}

/** Null: nothing changes. */
async function changeClaims(
  { engine }: SwarmWorld,
  { ID }: SwarmService,
  change: (claims: TaskClaim[]) => TaskClaim[] | null,
): Promise<void> {
  await engine.change(ID, async ({ Spec: { Labels, Mode } }) => {
    const claims = change(readClaims(Labels));
    return claims && { replicas: Mode.Replicated.Replicas, labels: withClaims(Labels, claims) };
  });
}

type DescribeDeps = Pick<ClaimDeps, 'world' | 'tools' | 'until'> & { port: number; nodeVersion: string };

async function describeClaim(spec: InstanceSpec, deps: DescribeDeps): Promise<Claim> {
  const { world, tools, port, nodeVersion, until } = deps;
  const { id: instanceId, organisationId, environmentId, deploymentId } = spec;
  const { objects, leadership, controlKey: sealKey } = world;
  const given = { objects, leadership, tools, nodeVersion, sealKey };
  const [parcels, reach] = await Promise.all([
    untilAnswered(() => parcelsOf(spec, given), until),
    world.reaches.of(organisationId),
  ]);
  const whose = { instanceId, organisationId, environmentId, deploymentId };
  const fetchWithinMs = Math.max(0, until - Date.now());
  return { ...whose, port, env: splitEnv(spec).own, parcels, fetchWithinMs, reach };
}

/** A refusal is an answer. */
async function untilAnswered<T>(ask: () => Promise<T>, until: number): Promise<T> {
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (error instanceof StartRefused) throw error;
      if (Date.now() > until) throw new StartRefused(AWAY, { cause: error });
    }
    await delay(FILES_AGAIN_MS);
  }
}

/** Its first process needs a moment to listen. Null when it is no more, never says a word, or another has its port. */
async function firstStatus(
  ask: (timeoutMs: number) => Promise<TaskStatus>,
  { until, isThere }: { until: number; isThere: () => Promise<boolean> },
): Promise<TaskStatus | null> {
  const giveUpAt = Math.min(until, Date.now() + FIRST_WORD_WITHIN_MS);
  for (let tries = 1; ; tries++) {
    try {
      return await ask(Math.min(MOST_WORD_MS, FIRST_WORD_MS * tries));
    } catch (error) {
      if (error instanceof ControlRefused || Date.now() > giveUpAt) return null;
      if (tries % LOOK_EVERY === 0 && !(await isThere())) return null;
    }
    await delay(LOOK_MS);
  }
}
