import { setTimeout as delay } from 'node:timers/promises';
import { allActions } from './actions/all-actions.ts';
import { allFaults } from './faults/all-faults.ts';
import type { Problem } from './invariants/problem.ts';
import { isFault, type Step } from './plan.ts';
import type { Scene } from './scene.ts';

/** What waits in its lane when the time is over is left out, soon. */
const LATE_MS = 5000;
/** A fault that had to wait for the one before of its kind is none too few. */
const FAULT_LATE_MS = 10_000;

/** Does the steps at their times, those of one lane one after another. Tells what went wrong with doing them. */
export async function play(scene: Scene, steps: readonly Step[]): Promise<Problem[]> {
  const { events } = scene;
  const problems: Problem[] = [];
  const lanes = new Map<string, Promise<void>>();
  const startedAt = performance.now();
  const lastMs = (steps.at(-1)?.atMs ?? 0) + LATE_MS;
  const elapsedMs = () => performance.now() - startedAt;

  async function take(step: Step): Promise<void> {
    const obstacle = obstacleTo(step);
    if (obstacle) return events.tell(step.name, `${step.number} left out: ${obstacle}`);
    try {
      await (isFault(step.name) ? allFaults[step.name] : allActions[step.name])(scene, step);
    } catch (error) {
      problems.push({ invariant: 'what was disturbed comes back', about: step.name, what: (error as Error).message });
    }
  }

  /** Harm comes faster than a busy machine mends it; what is just being started could otherwise never be there. */
  function obstacleTo({ name, atMs }: Step): string | null {
    if (elapsedMs() > lastMs) return 'the time is over';
    if (!isFault(name)) return null;
    if (scene.handle.isAway()) return 'the platform is being started';
    return elapsedMs() > atMs + FAULT_LATE_MS ? 'it is too late' : null;
  }

  for (const step of steps) {
    await delay(Math.max(0, step.atMs - elapsedMs()));
    lanes.set(
      step.lane,
      (lanes.get(step.lane) ?? Promise.resolve()).then(() => take(step)),
    );
  }
  await Promise.all(lanes.values());
  return problems;
}
