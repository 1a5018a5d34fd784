import type Docker from 'dockerode';
import { eventually } from '../eventually.ts';
import { openTestNetwork, type TestNetwork } from './test-network.ts';
import { startNode, type TestNode } from './test-node.ts';

export interface TestSwarm extends AsyncDisposable {
  network: TestNetwork;
  /** The first is a manager. */
  nodes: readonly TestNode[];
  manager: Docker;
}

/** What a swarm is formed of. */
export type SwarmNode = Pick<TestNode, 'address' | 'socketPath' | 'docker'>;

const PORT = 2377;

/** Engines of this machine that form a swarm, as if they were on one each. */
export async function startSwarm({ nodes: count }: { nodes: number }): Promise<TestSwarm> {
  await using stack = new AsyncDisposableStack();
  const network = stack.use(await openTestNetwork());
  const nodes = await startNodes(network, count, stack);
  const [first, ...others] = nodes;
  await formSwarm(first!, others);
  const all = stack.move();
  return { network, nodes, manager: first!.docker, [Symbol.asyncDispose]: () => all.disposeAsync() };
}

export async function startNodes(
  network: TestNetwork,
  count: number,
  stack: AsyncDisposableStack,
): Promise<TestNode[]> {
  const started = await Promise.allSettled(Array.from({ length: count }, (_, index) => startNode(network, index + 2)));
  const nodes = started.flatMap((each) => (each.status === 'fulfilled' ? [stack.use(each.value)] : []));
  for (const each of started) if (each.status === 'rejected') throw each.reason;
  return nodes;
}

export async function formSwarm(first: SwarmNode, others: readonly SwarmNode[]): Promise<void> {
  const listen = { ListenAddr: `0.0.0.0:${PORT}` };
  await first.docker.swarmInit({
    ...listen,
    AdvertiseAddr: first.address,
    DefaultAddrPool: ['10.92.64.0/18'],
    SubnetSize: 24,
    // All else is as in a swarm that somebody has just made: what the platform wants otherwise it changes itself.
    Spec: {},
  });
  const { JoinTokens } = (await first.docker.swarmInspect()) as { JoinTokens: { Worker: string } };
  for (const { docker, address } of others) {
    const joining = { ...listen, AdvertiseAddr: address, JoinToken: JoinTokens.Worker };
    await docker.swarmJoin({ ...joining, RemoteAddrs: [`${first.address}:${PORT}`] });
  }
  await eventually('every node is ready', async () => {
    const known = await first.docker.listNodes();
    return known.filter(({ Status }) => (Status as { State: string }).State === 'ready').length === others.length + 1;
  });
}
