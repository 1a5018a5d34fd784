import { expect, it } from 'vitest';
import { comparedWith } from './compared-with.ts';

const at = (minute: number, commit_sha: string | null, status: 'healthy' | 'failed' = 'healthy') => ({
  id: `dep_${minute}`,
  commit_sha,
  status,
  started_at: new Date(Date.UTC(2026, 10, 18, 12, minute)).toISOString(),
});

it('what is not served is compared with what is, whichever is the later', () => {
  const [old, live, next] = [at(1, 'old'), at(2, 'live'), at(3, 'next')];
  const others = [next, live, old];
  expect(comparedWith(next, { live, others })).toEqual({ say: 'Compare with what is live', from: 'live', to: 'next' });
  expect(comparedWith(old, { live, others })).toEqual({ say: 'Compare with what is live', from: 'old', to: 'live' });
});

it('what is served is compared with the last that was built before it, of another commit', () => {
  const live = at(5, 'live');
  const others = [at(6, 'newer'), live, at(4, 'live'), at(3, 'broken', 'failed'), at(2, 'before'), at(1, 'first')];
  expect(comparedWith(live, { live, others })).toEqual({
    say: 'Compare with the one before',
    from: 'before',
    to: 'live',
  });
});

it('there is nothing to compare the first with, nor anything where nothing is served', () => {
  const first = at(1, 'first');
  expect(comparedWith(first, { live: first, others: [first] })).toBeNull();
  expect(comparedWith(first, { live: null, others: [first] })).toBeNull();
});
