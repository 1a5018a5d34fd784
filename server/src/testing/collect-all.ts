import { setImmediate as turn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * All that nobody needs any longer. Once is not enough: what waits to be told that its last holder is gone, and
 * buffers, which a thread of their own gives back, are off the books only after the next.
 */
export async function collectAll(): Promise<void> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  for (let round = 0; round < 3; round++) {
    collect();
    await turn();
  }
}

/** In buffers that somebody still needs: what has gone to the sockets lies about until it is collected. */
export async function heldInBuffers(): Promise<number> {
  await collectAll();
  return process.memoryUsage().arrayBuffers;
}

/** In everything. */
export async function heldInMemory(): Promise<number> {
  await collectAll();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
