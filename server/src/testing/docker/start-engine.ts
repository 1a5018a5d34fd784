import { openTestNetwork } from './test-network.ts';
import { startNode, type TestNode } from './test-node.ts';

/** One engine with the stack image. What it starts is reached from this machine at `address`. */
export async function startEngine(): Promise<TestNode> {
  await using stack = new AsyncDisposableStack();
  const node = stack.use(await startNode(stack.use(await openTestNetwork()), 2));
  const all = stack.move();
  return { ...node, [Symbol.asyncDispose]: () => all.disposeAsync() };
}
