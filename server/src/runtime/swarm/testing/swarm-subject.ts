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
import { createSwarmRuntime } from '../create-swarm-runtime.ts';

export interface SwarmSubject extends RuntimeSubject {
  swarm: TestSwarm;
  objects: ObjectStore;
  /** Where everybody would reach the platform. */
  publicPort: number;
  create(): Runtime;
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
  const origin = await serveObjects(local, swarm.network.addressOf(1), stack);
  const objects: ObjectStore = { ...local, presignGet: async (key) => `${origin}/${key}` };
  const deps = { config, log: silentLog, objects, tools: ownNode, controlKey: Buffer.alloc(32, 7) };
  const all = stack.move();
  return {
    swarm,
    objects,
    publicPort: config.port,
    create: withDoors(() => createSwarmRuntime(deps)),
    pack: (files) => packTree(objects, files),
    remains: (instanceId) => remainsOf(instanceId, swarm),
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}

/** Doors are in the store: whoever drives the swarm next has read them before it begins. */
function withDoors(create: () => Runtime): () => Runtime {
  let known: Parameters<Runtime['setDoors']> | undefined;
  return () => {
    const runtime = create();
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

async function serveObjects(objects: ObjectStore, host: string, stack: AsyncDisposableStack): Promise<string> {
  const server = createServer((request, response) => {
    objects
      .read((request.url ?? '').slice(1))
      .on('error', () => response.destroy())
      .pipe(response);
  }).listen(0, host);
  await once(server, 'listening');
  stack.defer(() => server.close().closeAllConnections());
  return `http://${host}:${(server.address() as AddressInfo).port}`;
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
