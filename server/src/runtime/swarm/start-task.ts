import { setTimeout as delay } from 'node:timers/promises';
import { uidOf } from '../../sandbox/uids.ts';
import { instanceEnvironment } from '../instance-environment.ts';
import { StartRefused, type InstanceAddress, type InstanceSpec } from '../runtime.ts';
import { readClaims, withClaims, type TaskClaim } from './claims.ts';
import { ControlRefused, tokenOf } from './control-client.ts';
import type { SwarmService } from './engine.ts';
import type { TaskSecret, TaskStatus } from './init/agreement.ts';
import { parcelsOf } from './parcels.ts';
import { serviceName, splitEnv } from './service-spec.ts';
import { controlOf, type SwarmWorld } from './swarm-world.ts';
import { countSlots, isLive, placeOf, type SwarmTask, type TaskPlace } from './swarm-tasks.ts';
import type { Tools } from '../tools.ts';
import type { OneAtATime } from './one-at-a-time.ts';

const LOOK_MS = 50;
/** Somebody who stopped another may have been told of fewer meanwhile. */
const ASK_AGAIN_MS = 1000;
/** What was sent before its network was there is lost, and would be sent again late. */
const FIRST_WORD_MS = 300;
const START_WITHIN_MS = 120_000;
/** Who finds no machine for so long will find none. */
const NO_ROOM_MS = 10_000;

interface StartDeps {
  world: SwarmWorld;
  /** By service: whoever changes how many tasks it has. */
  turns: OneAtATime;
}

/** Has the swarm run one more task of the release, and makes it this instance. */
export async function startTask(spec: InstanceSpec, { world, turns }: StartDeps): Promise<InstanceAddress> {
  if (!/^[a-z0-9_]+$/.test(spec.id)) throw new StartRefused(`${spec.id} is no name for an instance.`);
  const tools = await world.tools(spec.tools);
  const name = serviceName(spec, world.init.name);
  const count = (by: number) => world.waiting.set(name, (world.waiting.get(name) ?? 0) + by);
  count(1);
  try {
    const service = await turns.run(name, () => ensureService(spec, name, { world, tools }));
    const claim = await claimOne(spec, { world, turns, service, tools });
    await turns.run(name, () => noteClaim(world, service, claim));
    world.taken.delete(claim.taskId);
    return { host: claim.host, port: claim.port };
  } catch (error) {
    await turns.run(name, () => removeUnused(world, name)).catch(() => {});
    throw error;
  } finally {
    count(-1);
  }
}

/** A service of which nothing could be started, and that nobody wants but who asks. */
async function removeUnused(world: SwarmWorld, name: string): Promise<void> {
  const service = await world.engine.find(name);
  if (!service || (world.waiting.get(name) ?? 0) > 1 || readClaims(service.Spec.Labels).length > 0) return;
  await world.engine.removeService(service);
}

async function ensureService(
  spec: InstanceSpec,
  name: string,
  { world, tools }: { world: SwarmWorld; tools: Tools },
): Promise<SwarmService> {
  const { engine, init, controlKey } = world;
  const found = await engine.find(name);
  if (found) return found;
  const secret: TaskSecret = {
    token: tokenOf(controlKey, name),
    uid: uidOf(spec.environmentId),
    command: spec.command,
    workDirectory: spec.workDirectory,
    env: instanceEnvironment({ env: splitEnv(spec).shared }, { tools, lease: { kind: 'own', host: '', port: 0 } }),
  };
  const [config, given] = await Promise.all([
    engine.config(init.name, init.data),
    engine.secret(name, Buffer.from(JSON.stringify(secret))),
  ]);
  return engine.createService({ name, spec, init: config, secret: given });
}

interface ClaimDeps extends StartDeps {
  service: SwarmService;
  tools: Tools;
}

/** Tries tasks until one is ours. */
async function claimOne(spec: InstanceSpec, deps: ClaimDeps): Promise<TaskClaim> {
  const { world, service } = deps;
  const until = Date.now() + START_WITHIN_MS;
  for (;;) {
    const { task, place } = await takeTask(deps, until);
    const { host, port, controlPort } = place;
    try {
      if (await tryClaiming(spec, place, { ...deps, until })) {
        return { taskId: task.ID, instanceId: spec.id, host, port, controlPort, startedAt: new Date() };
      }
    } catch (error) {
      world.taken.delete(task.ID);
      await controlOf(world, service.Spec.Name, place)
        .end()
        .catch(() => {});
      throw error;
    }
    world.taken.delete(task.ID);
  }
}

/** False when it is no more, or somebody else's. */
async function tryClaiming(
  spec: InstanceSpec,
  place: TaskPlace,
  { world, service, tools, until }: ClaimDeps & { until: number },
): Promise<boolean> {
  const control = controlOf(world, service.Spec.Name, place);
  const status = await firstStatus(() => control.status(FIRST_WORD_MS), until);
  if (!status || (status.instanceId !== null && status.instanceId !== spec.id)) return false;
  const { organisationId, environmentId, deploymentId } = spec;
  const [parcels, reach] = await Promise.all([
    parcelsOf(spec, { objects: world.objects, tools, nodeVersion: status.nodeVersion }),
    world.reaches.of(organisationId),
  ]);
  const whose = { instanceId: spec.id, organisationId, environmentId, deploymentId };
  try {
    await control.claim({ ...whose, port: place.port, env: splitEnv(spec).own, parcels, reach });
    return true;
  } catch (error) {
    if (error instanceof ControlRefused && error.status === 409) return false;
    if (error instanceof ControlRefused && error.status === 422) throw new StartRefused(error.message);
    throw error;
  }
}

/** Its first process needs a moment to listen. */
async function firstStatus(ask: () => Promise<TaskStatus>, until: number): Promise<TaskStatus | null> {
  const giveUp = Math.min(until, Date.now() + 30_000);
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (Date.now() > giveUp) return null;
      if (error instanceof ControlRefused) throw error;
    }
    await delay(LOOK_MS);
  }
}

/** A task that nobody has; more are asked for where there are too few. */
async function takeTask(deps: ClaimDeps, until: number): Promise<{ task: SwarmTask; place: TaskPlace }> {
  const { world, service, turns } = deps;
  const begun = Date.now();
  let askedAt = 0;
  for (;;) {
    const [current, tasks, nodes] = await Promise.all([
      world.engine.find(service.Spec.Name),
      world.engine.tasks([service.ID]),
      world.engine.nodes(),
    ]);
    const spares = sparesOf({ labels: current?.Spec.Labels ?? {}, tasks: tasks.filter((each) => isLive(each, nodes)) });
    for (const task of spares) {
      const place = placeOf(task, nodes);
      if (!place || world.taken.has(task.ID)) continue;
      world.taken.add(task.ID);
      return { task, place };
    }
    if (Date.now() - askedAt > ASK_AGAIN_MS) {
      await turns.run(service.Spec.Name, () => askForMore(world, service));
      askedAt = Date.now();
    }
    refuseHopeless(spares, { begun, until });
    await delay(LOOK_MS);
  }
}

function sparesOf({
  labels,
  tasks,
}: {
  labels: Readonly<Record<string, string>>;
  tasks: readonly SwarmTask[];
}): SwarmTask[] {
  const claimed = new Set(readClaims(labels).map(({ taskId }) => taskId));
  return tasks.filter(({ ID }) => !claimed.has(ID));
}

async function askForMore({ engine, waiting }: SwarmWorld, { ID, Spec }: SwarmService): Promise<void> {
  await engine.change(ID, async (service) => {
    const tasks = (await engine.tasks([ID])).filter((task) => countSlots([task]) === 1);
    const spares = sparesOf({ labels: service.Spec.Labels, tasks }).length;
    const replicas = countSlots(tasks) + Math.max(0, (waiting.get(Spec.Name) ?? 0) - spares);
    return replicas === countSlots(tasks) ? null : { replicas };
  });
}

function refuseHopeless(spares: readonly SwarmTask[], { begun, until }: { begun: number; until: number }): void {
  const waitedMs = Date.now() - begun;
  const trouble = spares.map(({ Status }) => Status.Err).find(Boolean);
  if (trouble && waitedMs > NO_ROOM_MS) throw new StartRefused(`The swarm has no machine for it: ${trouble}.`);
  if (Date.now() > until) throw new StartRefused(`The swarm did not start it${trouble ? `: ${trouble}` : ' in time'}.`);
}

async function noteClaim({ engine }: SwarmWorld, { ID }: SwarmService, claim: TaskClaim): Promise<void> {
  await engine.change(ID, async ({ Spec }) => ({
    replicas: Spec.Mode.Replicated.Replicas,
    labels: withClaims(Spec.Labels, [...readClaims(Spec.Labels).filter((each) => each.taskId !== claim.taskId), claim]),
  }));
}
