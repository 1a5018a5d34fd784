import { expect, it } from 'vitest';
import { judgeOtherHosts } from './other-hosts.ts';

it('edges of other hosts that cannot reach the servers are named, and what to do', () => {
  const own = { own: 'one-12ab@77 ', kind: 'sandbox' };
  expect(judgeOtherHosts(['one-12ab@77 0', 'one-12ab@77 1'], own).status).toBe('ok');
  const found = judgeOtherHosts(['one-12ab@77 0', 'two-34cd@88 0', 'two-34cd@88 1'], own);
  expect(found).toMatchObject({
    status: 'warn',
    found: expect.stringMatching(/run on two-34cd, and CANNOT reach/),
    advice: expect.stringContaining('LILAC_RUNTIME=swarm'),
  });
});
