import { outputBounds } from './output-stream.ts';

const MEBIBYTE = 1024 ** 2;

/** What the two streams of an instance take of the disk. */
export interface UsedBytes {
  /** Of the larger one: each has bounds of its own. */
  most: number;
  sum: number;
}

/** One that has so much on the disk outruns those who give it back, and has to wait for them. */
const HOLD_BYTES = 256 * MEBIBYTE;
/** Given back as far as this, it may go on. */
const LET_GO_BYTES = 2 * outputBounds.unreadBytes;

export function mustWait({ most }: UsedBytes, { isHeld }: { isHeld: boolean }): boolean {
  return most > (isHeld ? LET_GO_BYTES : HOLD_BYTES);
}

/** Below this there is nothing that anybody might give back. */
export const isWorthTrimming = ({ most }: UsedBytes): boolean =>
  most > Math.min(outputBounds.aheadBytes, outputBounds.unreadBytes);

const IDLE_MS = { least: 100, most: 300 };
const BUSY_MS = 25;
/** In one look: some thousand lines are nothing to hurry for. */
const GROWS_MUCH_BYTES = 4 * MEBIBYTE;

/**
 * How long until the next look: so that nobody comes far beyond its bounds in between, and rest costs next to nothing.
 */
export function nextLookMs({ grownBytes, heldCount, count }: Record<'grownBytes' | 'heldCount' | 'count', number>) {
  if (heldCount > 0 || grownBytes > GROWS_MUCH_BYTES) return BUSY_MS;
  // A look costs the more the more there are to look at.
  return Math.min(IDLE_MS.most, IDLE_MS.least + count);
}
