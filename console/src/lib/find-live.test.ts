import { describe, expect, it } from 'vitest';
import type { Deployment } from './describe-deployment.ts';
import { findLive } from './find-live.ts';

const failed = { id: 'dep_2', is_live: false } as Deployment;
const live = { id: 'dep_1', is_live: true } as Deployment;

describe('what an environment serves', () => {
  it('is the one of the list that is live, also where the environment was asked earlier', () => {
    expect(findLive([failed, live], 'dep_2')).toEqual({ listed: live, missingId: null });
  });

  it('is the one that the environment names, where the list was asked earlier', () => {
    expect(findLive([failed], 'dep_2')).toEqual({ listed: failed, missingId: null });
  });

  it('is still to be asked for where the list does not go so far', () => {
    expect(findLive([failed], 'dep_1')).toEqual({ listed: null, missingId: 'dep_1' });
  });

  it('is nothing where the environment serves nothing, and not known before the list is', () => {
    expect(findLive([failed], null)).toEqual({ listed: null, missingId: null });
    expect(findLive(undefined, 'dep_1')).toEqual({ listed: null, missingId: null });
  });
});
