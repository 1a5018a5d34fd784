import { setTimeout as delay } from 'node:timers/promises';
import { CLAIM_MS, ControlRefused, type TaskControl } from './control-client.ts';
import type { Claim } from './init/agreement.ts';

const LOOK_MS = 1000;
const AGAIN_MS = 200;

interface ClaimedTask {
  control: Pick<TaskControl, 'claim'>;
  /** Whether the swarm still has it run, on a machine that is there. */
  isThere: () => Promise<boolean>;
}

/**
 * Resolves when its program runs; false when the task is no more, which a lost machine does not say itself. A line that
 * breaks is no end: whoever asks again for the same instance is answered when it runs.
 */
export async function claimUntilGone(claim: Claim, { control, isThere }: ClaimedTask): Promise<boolean> {
  const giveUpAt = Date.now() + CLAIM_MS;
  const over = new AbortController();
  const gone = new AbortController();
  void abortWhenGone(gone, isThere, over.signal);
  try {
    for (;;) {
      try {
        await control.claim(claim, gone.signal);
        return true;
      } catch (error) {
        if (gone.signal.aborted) return false;
        if (error instanceof ControlRefused || Date.now() > giveUpAt) throw error;
      }
      await delay(AGAIN_MS);
    }
  } finally {
    over.abort();
  }
}

/** While the engine is away nobody can tell, and the task may well be at it. */
async function abortWhenGone(gone: AbortController, isThere: ClaimedTask['isThere'], over: AbortSignal): Promise<void> {
  for (;;) {
    await delay(LOOK_MS, undefined, { signal: over, ref: false }).catch(() => {});
    if (over.aborted) return;
    if (!(await isThere().catch(() => true))) return gone.abort();
  }
}
