import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '../../../config.ts';
import { silentLog } from '../../../lib/log.ts';
import { createLocalObjectStore } from '../../../objects/local/local-object-store.ts';
import type { ObjectStore } from '../../../objects/object-store.ts';
import { startSwarm, type TestSwarm } from '../../../testing/docker/start-swarm.ts';
import type { RuntimeSubject } from '../../conformance.ts';
import type { Runtime } from '../../runtime.ts';
import { ownNode } from '../../testing/own-node.ts';
import { packTree } from '../../testing/pack-tree.ts';
import { createSwarmRuntime, type SwarmRuntimeDeps } from '../create-swarm-runtime.ts';

export interface SwarmSubject extends RuntimeSubject {
  swarm: TestSwarm;
  /** Where everybody would reach the platform. */
  publicPort: number;
  create(leadership?: SwarmRuntimeDeps['leadership']): Runtime;
  /** Opens the control ports of tasks. */
  controlKey: Buffer;
  /** From now on whoever fetches waits. */
  holdObjects(): HeldObjects;
}

export interface HeldObjects {
  /** Somebody waits. */
  asked: Promise<void>;
  letGo(): void;
}

/** A platform on this machine, and a swarm that it drives: the machines of the swarm reach it by the bridge. */
export async function openSwarmSubject({ nodes }: { nodes: number }): Promise<SwarmSubject> {
  await using stack = new AsyncDisposableStack();
  const swarm = stack.use(await startSwarm({ nodes }));
  const home = mkdtempSync(join(tmpdir(), 'lilac-swarm-'));
  stack.defer(() => rmSync(home, { recursive: true, force: true }));
  const config = readConfig({
    LILAC_HOME: home,
    LILAC_DOCKER_HOST: `unix://${swarm.nodes[0]!.socketPath}`,
    LILAC_CLUSTER_RANGE: swarm.network.range,
  });
  const local = createLocalObjectStore({
    root: join(home, 'objects'),
    signingKey: Buffer.alloc(32),
    publicUrl: config.publicUrl,
  });
  const { origin, holdObjects } = await serveObjects(local, swarm.network.addressOf(1), stack);
  const objects: ObjectStore = { ...local, presignGet: async (key) => `${origin}/${key}` };
  const deps = { config, log: silentLog, objects, tools: ownNode, controlKey: Buffer.alloc(32, 7) };
  const all = stack.move();
  return {
    swarm,
    objects,
    controlKey: deps.controlKey,
    publicPort: config.port,
    create: withDoors((leadership) => createSwarmRuntime({ ...deps, ...(leadership && { leadership }) })),
    holdObjects,
    pack: (files) => packTree(objects, files),
    remains: (instanceId) => remainsOf(instanceId, swarm),
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}

/** Doors are in the store: whoever drives the swarm next has read them before it begins. */
function withDoors(create: SwarmSubject['create']): SwarmSubject['create'] {
  let known: Parameters<Runtime['setDoors']> | undefined;
  return (leadership) => {
    const runtime = create(leadership);
    const [open, setDoors] = [runtime.open.bind(runtime), runtime.setDoors.bind(runtime)];
    return Object.assign(runtime, {
      async open() {
        if (known) await setDoors(...known);
        await open();
      },
      setDoors(...given: Parameters<Runtime['setDoors']>) {
        known = given;
        return setDoors(...given);
      },
    });
  };
}

async function serveObjects(objects: ObjectStore, host: string, stack: AsyncDisposableStack) {
  let held = Promise.resolve();
  let onAsked: (() => void) | undefined;
  const server = createServer((request, response) => {
    onAsked?.();
    void held.then(() =>
      objects
        .read((request.url ?? '').slice(1))
        .on('error', () => response.destroy())
        .pipe(response),
    );
  }).listen(0, host);
  await once(server, 'listening');
  stack.defer(() => server.close().closeAllConnections());
  const holdObjects = (): HeldObjects => {
    const [asked, letGo] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    [held, onAsked] = [letGo.promise, asked.resolve];
    return { asked: asked.promise, letGo: letGo.resolve };
  };
  return { origin: `http://${host}:${(server.address() as AddressInfo).port}`, holdObjects };
}

/** Services, and containers of the task that it was. */
const taskOf = new Map<string, string>();

async function remainsOf(instanceId: string, { manager, nodes }: TestSwarm): Promise<string[]> {
  const services = (await manager.listServices()).filter((service) =>
    JSON.stringify(service.Spec).includes(instanceId),
  );
  for (const { Spec } of services) {
    for (const [name, value] of Object.entries(Spec?.Labels ?? {})) {
      if (value.startsWith(`${instanceId} `)) taskOf.set(instanceId, name.replace('lilac.task.', ''));
    }
  }
  const running = await Promise.all(nodes.map(({ docker }) => docker.listContainers()));
  const containers = running
    .flat()
    .filter(({ Labels }) => Labels['com.docker.swarm.task.id'] === taskOf.get(instanceId));
  return [...services.map(({ ID }) => ID), ...containers.map(({ Id }) => Id)];
}
