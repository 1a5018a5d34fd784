import { uidOf } from '../../sandbox/uids.ts';
import { instanceEnvironment } from '../instance-environment.ts';
import { StartRefused, type InstanceAddress, type InstanceSpec } from '../runtime.ts';
import type { Tools } from '../tools.ts';
import { claimTask } from './claim-task.ts';
import { readClaims } from './claims.ts';
import { tokenOf } from './control-client.ts';
import type { SwarmService } from './engine.ts';
import type { TaskSecret } from './init/agreement.ts';
import { MAX_SECRET_BYTES, packSecret } from './init/task-secret.ts';
import type { OneAtATime } from './one-at-a-time.ts';
import { serviceName, splitEnv } from './service-spec.ts';
import type { SwarmWorld } from './swarm-world.ts';
import { takeTask } from './take-task.ts';
import { beginWaiting } from './waits.ts';

const START_WITHIN_MS = 120_000;
const TOO_LARGE =
  'Its variables are too large for a swarm, which keeps less than 500 KiB of them, compressed. Remove some, or ' +
  'shorten those that hold random characters.';

interface StartDeps {
  world: SwarmWorld;
  /** By service: whoever changes how many tasks it has, or whose they are. */
  turns: OneAtATime;
}

/** Has the swarm run one more task of the release, and makes it this instance. */
export async function startTask(spec: InstanceSpec, { world, turns }: StartDeps): Promise<InstanceAddress> {
  if (!/^[a-z0-9_]+$/.test(spec.id)) throw new StartRefused(`${spec.id} is no name for an instance.`);
  const tools = await world.tools(spec.tools);
  const name = serviceName(spec, world.init.name, world.controlKey);
  const wait = beginWaiting(world, name);
  world.starting.add(spec.id);
  try {
    return await startIn(name, spec, { world, turns, tools, wait });
  } catch (error) {
    wait.end();
    await turns.run(name, () => removeUnused(world, name)).catch(() => {});
    throw error;
  } finally {
    wait.end();
    world.starting.delete(spec.id);
  }
}

type StartInDeps = StartDeps & { tools: Tools; wait: ReturnType<typeof beginWaiting> };

/** Tries tasks until one is ours, and none twice. */
async function startIn(name: string, spec: InstanceSpec, deps: StartInDeps): Promise<InstanceAddress> {
  const { world, turns } = deps;
  const until = Date.now() + START_WITHIN_MS;
  const tried = new Set<string>();
  const ensure = () => turns.run(name, () => ensureService(spec, name, deps));
  for (let service = await ensure(); ;) {
    const found = await takeTask(service, { ...deps, until, tried });
    if (!found) {
      // Somebody removed it: whoever led before, or a person.
      if (Date.now() > until) throw new StartRefused('The swarm has no service for it.');
      service = await ensure();
      continue;
    }
    tried.add(found.task.ID);
    try {
      const isOurs = await claimTask(spec, found, { ...deps, service, until });
      if (isOurs) return { host: found.place.host, port: found.place.port };
    } finally {
      world.taken.delete(found.task.ID);
    }
    deps.wait.again();
  }
}

/** A service of which nothing runs for anybody, and that nobody waits for; where it was never made, its secret. */
export async function removeUnused({ engine, waiting, leadership }: SwarmWorld, name: string): Promise<void> {
  const service = await engine.find(name);
  if ((waiting.get(name) ?? 0) > 0 || (service && readClaims(service.Spec.Labels).length > 0)) return;
  await leadership.certain();
  if (service) await engine.removeService(service);
  else await engine.removeSecret(name);
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
  const packed = await packSecret(secret);
  if (packed.length > MAX_SECRET_BYTES) throw new StartRefused(TOO_LARGE);
  await world.leadership.certain();
  const config = await engine.config(init.name, init.data);
  // Not beside the config: were that to fail, this might be made after all was removed.
  const given = await engine.secret(name, packed);
  return engine.createService({ name, spec, init: config, secret: given });
}
