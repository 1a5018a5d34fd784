import { setTimeout as delay } from 'node:timers/promises';
import { describeError } from './attempt.ts';
import { isKept } from './invariants/acknowledged.ts';
import { isEverybodyAnswered } from './invariants/answered.ts';
import { isBackSoon } from './invariants/back-soon.ts';
import { isCreatedHealthy } from './invariants/created-healthy.ts';
import { areFailuresExplained } from './invariants/deployments-explained.ts';
import { leavesNothing } from './invariants/leaves-nothing.ts';
import { leavesNoOrphan } from './invariants/orphans.ts';
import type { Check, Invariant, Problem } from './invariants/problem.ts';
import { areRoutesRight } from './invariants/routes.ts';
import { isSettled } from './invariants/settled.ts';
import { worksOn } from './invariants/works-on.ts';
import { peekStore } from './peek-store.ts';
import type { Scene } from './scene.ts';

/** The faults are over: what must be so at once, and what must become so. */
const SETTLE_MS = 240_000;
const SWEEP_MS = 150_000;
const SOON_MS = 30_000;

/**
 * What killed processes left half-made waits for a sweep, and a sweep that came before the last of it for another one.
 */
const SWEPT: readonly Invariant[] = [isSettled, leavesNoOrphan, leavesNothing];
const HASTEN_EVERY_MS = 10_000;

/** Everything that must hold and does not. */
export async function judge(scene: Scene): Promise<Problem[]> {
  await using peek = peekStore(scene.handle.home);
  const check = { scene, peek };
  const settled = await eventually(isSettled, check, SETTLE_MS);
  for (const { writes } of scene.kept) await writes.stop();
  for (const load of scene.loads) await load.stop();
  const rest: [Invariant, number][] = [
    [isKept, 0],
    [isCreatedHealthy, SOON_MS],
    [areFailuresExplained, 0],
    [areRoutesRight, SOON_MS],
    [worksOn, 0],
    [leavesNoOrphan, SWEEP_MS],
    [leavesNothing, SWEEP_MS],
    [isEverybodyAnswered, 0],
    [isBackSoon, 0],
  ];
  const found = [...settled];
  for (const [invariant, withinMs] of rest) {
    found.push(...(await eventually(invariant, check, withinMs)));
  }
  return found;
}

/** The problems that are still there when the time is over. */
async function eventually(invariant: Invariant, { scene, peek }: Check, withinMs: number): Promise<Problem[]> {
  const deadline = performance.now() + withinMs;
  let hastenAt = SWEPT.includes(invariant) ? 0 : Infinity;
  for (;;) {
    if (performance.now() >= hastenAt) {
      await peek.hastenSweeps().catch(() => {});
      hastenAt = performance.now() + HASTEN_EVERY_MS;
    }
    const problems = await invariant({ scene, peek }).catch((error: unknown) => [
      { invariant: 'everything can be looked at', about: invariant.name, what: describeError(error) },
    ]);
    if (problems.length === 0) scene.events.tell('held', invariant.name);
    if (problems.length === 0 || performance.now() > deadline) return problems;
    await delay(500);
  }
}
