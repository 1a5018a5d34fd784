import { readdirSync } from 'node:fs';
import type Docker from 'dockerode';
import { run } from '../../lib/exec.ts';
import { startLocalEngine } from '../../runtime/docker/testing/local-engine.ts';
import { formSwarm, startNodes, type SwarmNode } from './start-swarm.ts';
import { openTestNetwork, type TestNetwork } from './test-network.ts';

export interface SwarmHere extends AsyncDisposable {
  network: TestNetwork;
  /** The first is this machine. */
  nodes: readonly SwarmNode[];
  manager: Docker;
}

/** What a swarm makes on its machine, and leaves there. */
const GATEWAY = 'docker_gwbridge';

/**
 * A swarm of which this machine itself is the manager: its engine sees the same files and the same network as a
 * platform that is started here. The others are engines that believe they have a machine of their own.
 */
export async function startSwarmHere({ others: count }: { others: number }): Promise<SwarmHere> {
  await using stack = new AsyncDisposableStack();
  const network = stack.use(await openTestNetwork());
  let hadGateway = true;
  stack.defer(async () => {
    if (!hadGateway) await removeGateway();
  });
  const engine = stack.use(await startLocalEngine());
  // Only now: the engine of another test, whose turn it was, may have had one.
  hadGateway = hasLink(GATEWAY);
  stack.defer(() => leave(engine.docker));
  const others = await startNodes(network, count, stack);
  const here = { address: network.addressOf(1), socketPath: engine.socketPath, docker: engine.docker };
  await formSwarm(here, others);
  const all = stack.move();
  return { network, nodes: [here, ...others], manager: engine.docker, [Symbol.asyncDispose]: () => all.disposeAsync() };
}

const hasLink = (name: string): boolean => readdirSync('/sys/class/net').includes(name);

async function leave(docker: Docker): Promise<void> {
  await docker.swarmLeave({ force: true }).catch(() => {});
}

async function removeGateway(): Promise<void> {
  await run(['ip', 'link', 'delete', GATEWAY], { env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin' } });
}
