import { describe, expect, it } from 'vitest';
import type { Deployment } from '../../lib/describe-deployment.ts';
import { withListed } from './with-listed.ts';

const ended: Deployment = {
  id: 'dep_1',
  environment_id: 'env_1',
  status: 'healthy',
  deployment_stage: 'released',
  commit_sha: null,
  commit_message: null,
  upload_name: 'site.zip',
  error: null,
  is_live: true,
  can_rollback: false,
  started_at: '2026-11-16T07:00:00.000Z',
  completed_at: '2026-11-16T07:01:00.000Z',
  stages: [],
  first_run: null,
};
const stage = { stage: 'released', started_at: ended.started_at } as const;
const moving: Deployment = { ...ended, status: 'deploying', is_live: false, completed_at: null };

describe('a deployment beside what the list says of it', () => {
  it('that has just become live does not look as if it had been, for a list that is older', () => {
    expect(withListed(ended, moving)).toEqual(ended);
  });

  it('that was rolled back to does not look as it did before, for a list that is older', () => {
    const before = { ...ended, is_live: false, completed_at: '2026-11-16T07:00:30.000Z', stages: [stage, stage] };
    expect(withListed({ ...ended, stages: [stage] }, before)).toEqual({ ...ended, stages: [stage] });
  });

  it('is not live any more once the list knows of another', () => {
    expect(withListed(ended, { ...ended, is_live: false, can_rollback: true })).toMatchObject({
      is_live: false,
      can_rollback: true,
    });
  });

  it('that is under way learns its commit from the list', () => {
    expect(withListed(moving, { ...moving, commit_message: 'Add a page' }).commit_message).toBe('Add a page');
  });

  it('is as it was told where the list has not come', () => {
    expect(withListed(moving, undefined)).toBe(moving);
  });
});
