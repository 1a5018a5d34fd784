import type { News } from '../deployments/tell-environment.ts';

/** Null when there is nothing to tell. Sleeping and waking are routine: whoever looks for them finds them. */
export function scaleNews(before: number | null, after: number): News | null {
  if (before === null || before === after) return null;
  if (after === 0) return { severity: 'DEBUG', message: 'Fell asleep: there were no requests for a while.' };
  if (before === 0) return { severity: 'DEBUG', message: `Woke up, with ${count(after)}.` };
  return { severity: 'INFO', message: `Scaled from ${before} to ${count(after)}.` };
}

const count = (instances: number): string => `${instances} ${instances === 1 ? 'instance' : 'instances'}`;
