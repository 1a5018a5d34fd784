import { deploymentStatuses } from '@lilac/contract/states';
import { describe, expect, it } from 'vitest';
import { commitStateOf, descriptions } from './commit-state.ts';

describe('the state of a commit', () => {
  it('follows that of its deployment', () => {
    expect(Object.fromEntries(deploymentStatuses.map((status) => [status, commitStateOf({ status })]))).toEqual({
      pending: null,
      building: 'pending',
      deploying: 'pending',
      healthy: 'success',
      failed: 'failure',
      cancelled: 'cancelled',
    });
  });

  it('is described in as many words as the first host shows', () => {
    for (const text of Object.values(descriptions)) expect(text.length).toBeLessThanOrEqual(140);
  });
});
