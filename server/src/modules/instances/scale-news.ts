import type { News } from '../deployments/tell-environment.ts';

/** Null when there is nothing to tell. Sleeping and waking are routine: whoever looks for them finds them. */
export function scaleNews(before: number | null, after: number): News | null {
  if (before === null || before === after) return null;
  if (after === 0) return { severity: 'DEBUG', message: 'Fell asleep: there were no requests for a while.' };
  if (before === 0) return { severity: 'DEBUG', message: `Woke up, with ${count(after)}.` };
  return { severity: 'INFO', message: `Scaled from ${before} to ${count(after)}.` };
}

/** Tells of each change of the number of instances once. */
export class ScaleTeller {
  #told: number | null = null;
  /** Since this process keeps them: before, the whole platform was stopped, as a rule. */
  #haveRun = false;

  /** Another deployment is live. */
  begin(): void {
    this.#told = null;
  }

  /** It starts instances, and tells of that itself. */
  noteRelease(): void {
    this.#haveRun = true;
  }

  /** How many there should be now, and how many are there. */
  tell(desired: number, running: number): News | null {
    this.#haveRun ||= running > 0;
    const news = this.#haveRun || desired === 0 ? scaleNews(this.#told, desired) : startNews(desired);
    this.#haveRun ||= desired > 0;
    this.#told = desired;
    return news;
  }
}

const startNews = (instances: number): News => ({
  severity: 'INFO',
  message: `Started again, with ${count(instances)}.`,
});

export const stopNews = (instances: number): News => ({
  severity: 'INFO',
  message: `Stopped with the platform: ${count(instances)}.`,
});

const count = (instances: number): string => `${instances} ${instances === 1 ? 'instance' : 'instances'}`;
