import { createSemaphore } from '../../lib/semaphore.ts';
import { NetworkFailure, type HostTools } from '../../runtime/network/host-tools.ts';
import { readRedirects, redirectRules, tableName } from './redirect-rules.ts';
import type { StableAddresses } from './stable-address.ts';

/** Ports lead elsewhere in the kernel (nftables): no process in the way, and servers see who comes. */
export function createRedirects({ tools, id }: { tools: HostTools; id: string }): StableAddresses {
  const turn = createSemaphore(1);

  async function read(): Promise<Map<number, number>> {
    const tables = await tools.run(['nft', 'list', 'tables']);
    if (!tables.split('\n').includes(`table inet ${tableName(id)}`)) return new Map();
    return readRedirects(await tools.run(['nft', '-j', 'list', 'table', 'inet', tableName(id)]));
  }

  /** What was last read or written: who leads a port elsewhere is in a hurry, and one program is started instead of three. */
  let known: ReadonlyMap<number, number> | null = null;

  async function write(targets: ReadonlyMap<number, number>): Promise<void> {
    known = null;
    await tools.run(['nft', '-f', '-'], redirectRules(id, targets));
    known = targets;
  }

  return {
    name: 'redirect',
    point: (port, lead) =>
      turn.run(async () => {
        const targets = new Map(known ?? (await read()));
        if (lead) targets.set(port, lead.target);
        else if (!targets.delete(port)) return;
        await write(targets);
      }),
    list: () => turn.run(read),
    hold: (wanted) =>
      turn.run(async () => {
        const targets = new Map([...wanted].map(([port, { target }]) => [port, target]));
        if (areSame(targets, await read())) known = targets;
        else await write(targets);
      }),
  };
}

function areSame(one: ReadonlyMap<number, number>, other: ReadonlyMap<number, number>): boolean {
  return one.size === other.size && [...one].every(([port, target]) => other.get(port) === target);
}

/** Why this machine cannot; null: it can. Tried out in a network that is thrown away: that nft is there says little. */
export async function redirectObstacle(tools: HostTools): Promise<string | null> {
  if (process.getuid?.() !== 0) return 'The platform is not root.';
  try {
    await tools.run(['unshare', '--net', 'nft', '-f', '-'], redirectRules('probe', new Map([[1, 2]])));
    await tools.run(['nft', 'list', 'tables']);
    return null;
  } catch (error) {
    if (error instanceof NetworkFailure) return error.message;
    throw error;
  }
}
