import { availableParallelism, loadavg } from 'node:os';

/** Until as many instances serve as before, after a machine was lost that does not lead the swarm. */
const FULL_WITHIN_SECONDS = 15;
/**
 * As many programs may want each processor; with more of them a time is theirs, too. On two processors that seven or
 * eight wanted it took 8 to 12 s, so nobody needs to be let off earlier.
 */
const QUIET = 4;
/** And however many there are, no more than so many times as long: most of the time is waiting for beats. */
const MOST_TIMES = 1.5;

/** How many programs want each processor, over the last minute. */
export const howBusy = (): number => loadavg()[0]! / availableParallelism();

export interface LossJudged {
  isInTime: boolean;
  /** For people, also where nothing is wrong. */
  said: string;
}

/**
 * Of a time that begins with the loss. A machine that had more to do than it can before that is allowed longer: what
 * the loss itself makes it do is no excuse.
 */
export function judgeLoss(tookMs: number, busyBefore: number): LossJudged {
  const tookSeconds = tookMs / 1000;
  const allowedSeconds = FULL_WITHIN_SECONDS * Math.min(MOST_TIMES, Math.max(1, busyBefore / QUIET));
  const isInTime = tookSeconds > 0 && tookSeconds <= allowedSeconds;
  const allowed = busyBefore > QUIET ? `, ${allowedSeconds.toFixed(1)} s allowed` : '';
  const said =
    `${tookSeconds.toFixed(1)} s of ${FULL_WITHIN_SECONDS} s promised${allowed}; ` +
    `${busyBefore.toFixed(1)} programs wanted each processor before`;
  return { isInTime, said };
}
