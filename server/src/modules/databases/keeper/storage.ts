import type { ServerSpace } from '../../../engines/host/server-host.ts';

const MB = 2 ** 20;
/** A server that finds less than this cannot be counted on to come up. */
const WALL_BYTES = 64 * MB;
const SMALL_MARGIN_BYTES = 100 * MB;

export type StorageVerdict = 'full' | 'has room' | 'unchanged';

/** Writes are refused from a little before the promise on, and accepted again once clearly less is used. */
export function judgeStorage({ usedBytes, promisedBytes }: ServerSpace): StorageVerdict {
  const brake = Math.min(promisedBytes * 0.95, promisedBytes - SMALL_MARGIN_BYTES);
  if (usedBytes >= brake) return 'full';
  return usedBytes < brake - promisedBytes * 0.05 ? 'has room' : 'unchanged';
}

/** There is no room for anything: it has to give up its reserve before the server can even recover. */
export function isAtWall(space: ServerSpace | null): boolean {
  return space !== null && space.hardBytes !== null && space.hardBytes - space.usedBytes < WALL_BYTES;
}
