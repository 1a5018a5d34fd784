import { availableParallelism, loadavg } from 'node:os';

/**
 * Until as many instances serve as before, after a machine was lost that does not lead the swarm. On two processors that
 * seven or eight programs wanted it took 8 to 12 s: most of it is waiting for beats, which being busy makes no longer.
 */
const FULL_WITHIN_SECONDS = 15;

/** How many programs want each processor, over the last minute. */
export const howBusy = (): number => loadavg()[0]! / availableParallelism();

export interface LossJudged {
  isInTime: boolean;
  /** For people, also where nothing is wrong. */
  said: string;
}

/** Of a time that begins with the loss. How busy the machine was before is said, and excuses nothing. */
export function judgeLoss(tookMs: number, busyBefore: number): LossJudged {
  const tookSeconds = tookMs / 1000;
  const isInTime = tookSeconds > 0 && tookSeconds <= FULL_WITHIN_SECONDS;
  const said =
    `${tookSeconds.toFixed(1)} s of ${FULL_WITHIN_SECONDS} s promised; ` +
    `${busyBefore.toFixed(1)} programs wanted each processor before`;
  return { isInTime, said };
}
