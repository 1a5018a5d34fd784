import { expect, it } from 'vitest';
import { Patience } from './patience.ts';

const useUp = (patience: Patience, now: number): number => {
  for (let count = 0; ; count++) if (!patience.use(now)) return count;
};

it('a client may ask in vain as often as one that leaves a large page, and slowly for ever', () => {
  const patience = new Patience(0);
  const atOnce = useUp(patience, 0);
  expect(atOnce).toBeGreaterThanOrEqual(300);
  expect(useUp(patience, 1000)).toBeLessThan(50);
  for (let second = 2; second < 2000; second++) expect(patience.use(second * 1000)).toBe(true);
  // What is not used does not add up without end.
  expect(useUp(patience, 1e9)).toBe(atOnce);
});
