import type { Environment } from '../environment-page.tsx';

export type Range = Pick<Environment, 'min_instances' | 'max_instances'>;

/** How many run, how many are wanted where that is more, and between which numbers that may move. */
export function sayInstances(instances: number | null, { min_instances: min, max_instances: max }: Range): string {
  const allowed = `${min} to ${max} allowed`;
  if (instances === null) return `not counted yet · ${allowed}`;
  const missing = countMissing(instances, min);
  const starting = missing > 0 ? `, ${min} wanted: ${missing} more ${missing === 1 ? 'is' : 'are'} being started` : '';
  return `${Math.ceil(instances)} now${starting} · ${allowed}`;
}

/** How many have yet to start. The count is a mean, so a part of one is one. */
export function countMissing(instances: number, atLeast: number): number {
  return Math.max(atLeast - Math.ceil(instances), 0);
}
