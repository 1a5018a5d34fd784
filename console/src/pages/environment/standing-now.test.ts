import { describe, expect, it } from 'vitest';
import type { Deployment } from '../../lib/describe-deployment.ts';
import { standingNow } from './standing-now.ts';

type Known = Pick<Deployment, 'status' | 'completed_at' | 'is_live'>;

const live: Known = { status: 'healthy', completed_at: '2026-11-16T07:01:00.000Z', is_live: true };
const earlier: Known = { ...live, is_live: false, completed_at: '2026-11-16T07:00:00.000Z' };
const moving: Known = { status: 'deploying', completed_at: null, is_live: false };
const waiting: Known = { ...moving, status: 'pending' };
const failed: Known = { ...earlier, status: 'failed', completed_at: '2026-11-16T07:02:00.000Z' };
const read = { status: 'deploying', live_deployment_id: 'dep_1', trouble: null } as const;
const first = { ...read, live_deployment_id: null };

describe('how an environment is, beside its deployments', () => {
  it.each([
    ['is over once the rollback is served', read, [earlier, live], 'healthy'],
    ['is over with trouble where an instance has ended', { ...read, trouble: 'It ended.' }, [live], 'degraded'],
    ['is over with trouble where what was tried failed', read, [failed, live], 'degraded'],
    ['is over with nothing served where the first failed', first, [failed], 'failed'],
    [
      'is over with nothing served where the first was cancelled',
      first,
      [{ ...failed, status: 'cancelled' }],
      'pending',
    ],
    ['is over where the first is served', first, [live], 'healthy'],
    ['goes on while one of them does', { ...read, status: 'healthy' }, [moving, live], 'deploying'],
    ['has not begun while the first waits', { ...first, status: 'pending' }, [waiting], 'pending'],
    ['is as it was read where nothing moves', { ...read, status: 'degraded' }, [live], 'degraded'],
    ['is as it was read while they are not known', read, undefined, 'deploying'],
    ['is being deleted whatever they say', { ...read, status: 'deleting' }, [live], 'deleting'],
  ] as const)('%s', (_, environment, deployments, status) => {
    expect(standingNow(environment, deployments)).toBe(status);
  });
});
