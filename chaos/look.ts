import { setTimeout as delay } from 'node:timers/promises';
import { attempt } from './attempt.ts';
import { keptProblem } from './invariants/kept-problem.ts';
import type { Step } from './plan.ts';
import type { Scene } from './scene.ts';

type Looking = Pick<Scene, 'events' | 'outages' | 'ledger' | 'losses'>;

/** Something that is changed again and again, by one step at a time. */
export interface Changing {
  /** As the ledger names it. */
  key: string;
  /** What it is of, as the events name it. */
  about: string;
  read: () => Promise<string | null>;
}

/** As long as anybody waits for the platform to come back. */
const PATIENCE_MS = 180_000;
const PAUSE_MS = 500;

/**
 * Right before the next change, which would hide that the last one is lost. Whoever cannot be asked just then is not
 * waited for: people make changes while the platform is disturbed, too.
 */
export async function lookBefore(scene: Looking, step: Named, changing: Changing): Promise<void> {
  await look(scene, changing, `before ${nameOf(step)}`);
}

/** Once a change was acknowledged; who cannot be asked by a fault is asked until they answer. */
export async function lookAfter(
  scene: Looking,
  step: Named,
  changing: Changing,
  { patienceMs = PATIENCE_MS, pauseMs = PAUSE_MS } = {},
): Promise<void> {
  const when = `after ${nameOf(step)}`;
  const deadline = performance.now() + patienceMs;
  while (!(await look(scene, changing, when))) {
    if (performance.now() > deadline) {
      scene.losses.push(keptProblem(changing.about, `${changing.key}: nobody could look at it ${when}`));
      return;
    }
    await delay(pauseMs);
  }
}

type Named = Pick<Step, 'number' | 'name'>;

const nameOf = ({ number, name }: Named): string => `step ${number} (${name})`;

/** Whether there was an answer. */
async function look(scene: Looking, { key, about, read }: Changing, when: string): Promise<boolean> {
  const outcome = await attempt(scene, { about, what: `look at ${key} ${when}`, isQuiet: true }, read);
  if (outcome.kind !== 'acknowledged') return false;
  const { answer: found } = outcome;
  const possible = scene.ledger.possible(key);
  if (possible.includes(found)) return true;
  const what = `${key}: ${when} found "${found}", and what was promised is ${JSON.stringify(possible)}`;
  scene.events.tell(about, `LOST ${what}`);
  scene.losses.push(keptProblem(about, what));
  return true;
}
