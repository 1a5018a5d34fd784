import { timingSafeEqual } from 'node:crypto';

/** Whether two secrets are the same; how long it takes says nothing of where they differ. */
export function isSameText(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}
