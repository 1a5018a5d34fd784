import type { Step } from '../plan.ts';
import type { Scene } from '../scene.ts';

/**
 * Does what a step says, and tells whether it was acknowledged. Whatever the platform answers is no reason to throw.
 */
export type Act = (scene: Scene, step: Step) => Promise<boolean>;

/** One of them, by the step's roll. */
export const choose = <T>(items: readonly T[], { roll }: Pick<Step, 'roll'>): T | undefined =>
  items.length === 0 ? undefined : items[roll % items.length];

/** For what nobody can do just now. */
export function leftUndone({ events }: Pick<Scene, 'events'>, about: string, why: string): false {
  events.tell(about, why);
  return false;
}
