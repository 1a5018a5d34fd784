import { setTimeout as delay } from 'node:timers/promises';
import { allActions } from './actions/all-actions.ts';
import { allFaults } from './faults/all-faults.ts';
import { Happenings } from './happenings.ts';
import type { Problem } from './invariants/problem.ts';
import { isFault, type Step } from './plan.ts';
import type { Scene } from './scene.ts';

/** What waits in its lane when the time is over is left out, soon. */
const LATE_MS = 5000;
/** A fault that had to wait for the one before of its kind is none too few. */
const FAULT_LATE_MS = 10_000;
/** How often it is tried in the end that everything happens once. */
const ROUNDS = 3;

export interface Played {
  /** What went wrong with doing them. */
  problems: Problem[];
  happenings: Happenings;
}

/** Whether it came to anything: a fault struck, a change was acknowledged. */
export type Perform = (step: Step) => Promise<boolean>;

/** Where it is played, as far as this has to know. */
type Stage = Pick<Scene, 'events'> & { handle: Pick<Scene['handle'], 'isAway'> };

export const performIn =
  (scene: Scene): Perform =>
  (step) =>
    (isFault(step.name) ? allFaults[step.name] : allActions[step.name])(scene, step);

/**
 * Does the steps at their times, those of one lane one after another. Of what never came to anything, because it was
 * left out, found nobody or was not answered in the crowd, one comes once more when the time is over.
 */
export async function play(stage: Stage, steps: readonly Step[], perform: Perform): Promise<Played> {
  const { events } = stage;
  const happenings = new Happenings(steps);
  const problems: Problem[] = [];
  const lanes = new Map<string, Promise<void>>();
  const startedAt = performance.now();
  const lastMs = (steps.at(-1)?.atMs ?? 0) + LATE_MS;
  const elapsedMs = () => performance.now() - startedAt;

  async function take(step: Step): Promise<void> {
    try {
      if (await perform(step)) happenings.note(step.name);
    } catch (error) {
      problems.push({ invariant: 'what was disturbed comes back', about: step.name, what: (error as Error).message });
      // It is told already; once more would not make it better.
      happenings.note(step.name);
    }
  }

  async function takeInTime(step: Step): Promise<void> {
    const obstacle = obstacleTo(step);
    if (obstacle) events.tell(step.name, `${step.number} left out: ${obstacle}`);
    else await take(step);
  }

  /** Harm comes faster than a busy machine mends it; what is just being started could otherwise never be there. */
  function obstacleTo({ name, atMs }: Step): string | null {
    if (elapsedMs() > lastMs) return 'the time is over';
    if (!isFault(name)) return null;
    if (stage.handle.isAway()) return 'the platform is being started';
    return elapsedMs() > atMs + FAULT_LATE_MS ? 'it is too late' : null;
  }

  for (const step of steps) {
    await delay(Math.max(0, step.atMs - elapsedMs()));
    lanes.set(
      step.lane,
      (lanes.get(step.lane) ?? Promise.resolve()).then(() => takeInTime(step)),
    );
  }
  await Promise.all(lanes.values());
  for (const step of belated(steps, happenings)) {
    events.tell(step.name, `${step.number} comes once more`);
    await take(step);
  }
  return { problems, happenings };
}

/** What must be there first. */
const needs: Partial<Record<Step['name'], Step['name']>> = {
  'cancel-server': 'deploy-server',
  'drop-database': 'create-database',
  'delete-application': 'create-application',
};

/** Of each kind that is still missing one, with what it needs before it; in rounds, as long as any is. */
function* belated(steps: readonly Step[], happenings: Happenings): Generator<Step> {
  let number = steps.length;
  for (let round = 0; round < ROUNDS; round++) {
    for (const name of happenings.missing()) {
      // It may have come as what another one needs.
      if (happenings.countOf(name) > 0) continue;
      const planned = steps.find((step) => step.name === name)!;
      const before = needs[name];
      if (before) yield { ...planned, number: ++number, name: before, isBelated: true };
      yield { ...planned, number: ++number, isBelated: true };
    }
  }
}
