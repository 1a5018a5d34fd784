import { setTimeout as delay } from 'node:timers/promises';
import type { Keeper } from './keeper.ts';

const LOOK_MS = 20;

/** Resolves when none of its instances is outdated any more; rejects where that takes too long. */
export async function untilRenewed(
  keeper: Keeper,
  { withinMs, signal }: { withinMs: number; signal: AbortSignal },
): Promise<void> {
  const giveUpAt = performance.now() + withinMs;
  for (await keeper.renew(); !keeper.isRenewed(); keeper.poke()) {
    if (performance.now() > giveUpAt) throw new Error(`the instances of ${keeper.environmentId} could not be replaced`);
    await delay(LOOK_MS, undefined, { signal });
  }
}

/** Resolves when it has no instance any more. */
export async function untilCleared(keeper: Keeper, signal: AbortSignal): Promise<void> {
  for (await keeper.refresh(); keeper.crew.all().length > 0; keeper.poke()) {
    await delay(LOOK_MS, undefined, { signal });
  }
}
