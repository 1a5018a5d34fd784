import { describe, expect, it } from 'vitest';
import { isSwitching, strangersAmong, type CurrentDeployments } from './current-deployments.ts';
import { instancesTarget } from './instances-target.ts';
import { memberOf } from './testing/member-of.ts';

const currentOf = (rest: Partial<CurrentDeployments> = {}): CurrentDeployments => ({
  liveId: 'live',
  pinned: new Set(),
  releasing: [],
  ...rest,
});
const targetOf = (id: string) => instancesTarget({ id, run: { concurrency: 1 } }, { max: 1 }, []);
const site = { kind: 'static', artifactId: 'art', deploymentId: 'live', revision: 0 } as const;

describe('a release that is not decided yet', () => {
  it('has told edges of another deployment than the live one', () => {
    const releasing = currentOf({ releasing: ['next'] });
    const pinned = currentOf({ pinned: new Set(['next']) });
    for (const current of [releasing, pinned]) {
      expect([targetOf('next'), site, null].map((published) => isSwitching(published, current))).toEqual([
        true,
        true,
        true,
      ]);
      expect(isSwitching(targetOf('live'), current), 'nothing was told yet').toBe(false);
    }
  });

  it('is none where nothing is released, whatever edges were told last', () => {
    expect([targetOf('next'), site, null].some((published) => isSwitching(published, currentOf()))).toBe(false);
  });
});

describe('strangers', () => {
  it('are instances of deployments that are neither live nor being released', () => {
    const members = ['live', 'pinned', 'next', 'old'].map((id) => memberOf(id, 'up', { deploymentId: id }));
    const current = currentOf({ pinned: new Set(['pinned']), releasing: ['next'] });
    expect(strangersAmong(members, current).map(({ id }) => id)).toEqual(['old']);
    expect(strangersAmong(members, currentOf({ liveId: null }))).toHaveLength(4);
  });
});
