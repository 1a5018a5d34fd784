import { describe, expect, it } from 'vitest';
import {
  asksToSkip,
  decideOnPush,
  MOST_MADE_BY_PUSH,
  type Push,
  type PushedApplication,
  type PushedEnvironment,
} from './decide-on-push.ts';

const EARLIER = new Date('2026-01-01T00:00:00Z');
const NOW = new Date('2026-01-01T00:00:10Z');
const LATER = new Date('2026-01-01T00:00:20Z');

const anApplication = (given: Partial<PushedApplication> = {}): PushedApplication => ({
  vcs_branch: 'main',
  auto_deploy_on_push: true,
  auto_deploy_branches: ['feature/**'],
  auto_delete_stale_envs: true,
  ...given,
});

const anEnvironment = (given: Partial<PushedEnvironment> = {}): PushedEnvironment => ({
  id: 'env_1',
  vcs_branch: 'main',
  is_production: true,
  auto_deploy: true,
  made_by_push: false,
  status: 'healthy',
  newest: { status: 'healthy', commit_sha: 'old', created_at: EARLIER },
  lastHead: 'old',
  isRolledBack: false,
  ...given,
});

const aPreview = (given: Partial<PushedEnvironment> = {}) =>
  anEnvironment({ id: 'env_2', vcs_branch: 'feature/x', is_production: false, made_by_push: true, ...given });

const aPush = (given: Partial<Push> = {}): Push => ({
  branch: 'main',
  isDeletion: false,
  head: 'new',
  message: 'A change',
  lastSeen: null,
  receivedAt: NOW,
  ...given,
});

/** What a push does after a deployment of the same head that never came to a commit. */
const afterOneWithoutCommit = (status: 'pending' | 'failed', created_at: Date): string[] => {
  const newest = { status, commit_sha: null, created_at };
  return decideOnPush(anApplication(), [anEnvironment({ lastHead: 'new', newest })], aPush()).deploy;
};

const nothing = { deploy: [], remove: [], create: false, isFull: false };
const production = anEnvironment();

const to = (branch: string, application = anApplication(), environments = [production]) =>
  decideOnPush(application, environments, aPush({ branch }));

describe('a push to a branch that has environments', () => {
  it('deploys those that follow it by themselves, and makes no other', () => {
    const environments = [
      production,
      anEnvironment({ id: 'env_also', is_production: false }),
      anEnvironment({ id: 'env_by_hand', is_production: false, auto_deploy: false }),
      anEnvironment({ id: 'env_going', is_production: false, status: 'deleting' }),
      aPreview(),
    ];
    expect(decideOnPush(anApplication(), environments, aPush())).toEqual({
      ...nothing,
      deploy: ['env_1', 'env_also'],
    });
  });

  it('counts those without a branch of their own to the branch of the application', () => {
    const environments = [anEnvironment({ vcs_branch: null })];
    expect(decideOnPush(anApplication(), environments, aPush()).deploy).toEqual(['env_1']);
    expect(decideOnPush(anApplication({ vcs_branch: 'next' }), environments, aPush())).toEqual(nothing);
  });

  it('decides by the environment, whatever the application says of new branches', () => {
    const application = anApplication({ auto_deploy_on_push: false, auto_deploy_branches: [] });
    expect(decideOnPush(application, [production], aPush()).deploy).toEqual(['env_1']);
    const byHand = [production, aPreview({ auto_deploy: false })];
    expect(decideOnPush(anApplication(), byHand, aPush({ branch: 'feature/x' }))).toEqual(nothing);
  });

  it('deploys what was never deployed', () => {
    expect(decideOnPush(anApplication(), [anEnvironment({ newest: null })], aPush()).deploy).toEqual(['env_1']);
    const waiting = { status: 'pending', commit_sha: null, created_at: EARLIER } as const;
    expect(decideOnPush(anApplication(), [anEnvironment({ newest: waiting })], aPush()).deploy).toEqual(['env_1']);
  });

  it.each(['pending', 'building', 'deploying', 'healthy', 'cancelled'] as const)(
    'deploys no commit again that is %s',
    (status) => {
      const newest = { status, commit_sha: 'new', created_at: EARLIER };
      expect(decideOnPush(anApplication(), [anEnvironment({ newest })], aPush())).toEqual(nothing);
    },
  );

  it('deploys a commit again that had failed, but not once more for the same push', () => {
    const failed = { status: 'failed', commit_sha: 'new' } as const;
    const before = [anEnvironment({ newest: { ...failed, created_at: EARLIER } })];
    const since = [anEnvironment({ newest: { ...failed, created_at: LATER } })];
    expect(decideOnPush(anApplication(), before, aPush()).deploy).toEqual(['env_1']);
    expect(decideOnPush(anApplication(), since, aPush())).toEqual(nothing);
  });

  it('counts a deployment that came to no commit to the last head: it was of that, or would have been', () => {
    expect(afterOneWithoutCommit('pending', EARLIER)).toEqual([]);
    expect(afterOneWithoutCommit('failed', LATER)).toEqual([]);
    expect(afterOneWithoutCommit('failed', EARLIER)).toEqual(['env_1']);
  });

  it('leaves alone what somebody has rolled back to, until the branch moves, be it to an older commit', () => {
    for (const newest of [
      { status: 'healthy', commit_sha: 'new', created_at: EARLIER },
      { status: 'failed', commit_sha: 'new', created_at: EARLIER },
      { status: 'failed', commit_sha: null, created_at: EARLIER },
      { status: 'healthy', commit_sha: 'of another branch', created_at: EARLIER },
    ] as const) {
      const rolledBack = [anEnvironment({ newest, lastHead: 'new', isRolledBack: true })];
      expect(decideOnPush(anApplication(), rolledBack, aPush())).toEqual(nothing);
      expect(decideOnPush(anApplication(), rolledBack, aPush({ head: 'old' })).deploy).toEqual(['env_1']);
    }
  });
});

describe('a push to a branch without an environment', () => {
  it('makes one where the list names it', () => {
    expect(to('feature/y')).toEqual({ ...nothing, create: true });
    expect(to('fix/y')).toEqual(nothing);
    expect(to('feature/y', anApplication({ auto_deploy_on_push: false }))).toEqual(nothing);
    expect(to('feature/y', anApplication({ auto_deploy_branches: [] }))).toEqual(nothing);
    expect(to('feature/y', anApplication({ auto_deploy_branches: ['feature/**', '!feature/y'] }))).toEqual(nothing);
  });

  it('makes a new one for one that is being deleted', () => {
    const going = aPreview({ status: 'deleting' });
    expect(to('feature/x', anApplication(), [production, going])).toEqual({ ...nothing, create: true });
  });

  it('makes no more than so many; those of people do not count, nor those that go', () => {
    const many = Array.from({ length: MOST_MADE_BY_PUSH }, (_, index) =>
      aPreview({ id: `env_${index}`, vcs_branch: `feature/${index}` }),
    );
    expect(to('feature/y', anApplication(), many)).toEqual({ ...nothing, isFull: true });
    expect(to('feature/y', anApplication(), many.with(0, aPreview({ vcs_branch: 'z', made_by_push: false })))).toEqual({
      ...nothing,
      create: true,
    });
    const going = many.with(0, aPreview({ vcs_branch: 'z', status: 'deleting' }));
    expect(to('feature/y', anApplication(), going)).toEqual({ ...nothing, create: true });
    expect(to('feature/7', anApplication(), many).deploy).toEqual(['env_7']);
  });
});

describe('[skip deploy]', () => {
  it('deploys and makes nothing', () => {
    const message = 'Words only\n\n[Skip Deploy]';
    expect(decideOnPush(anApplication(), [production], aPush({ message }))).toEqual(nothing);
    expect(decideOnPush(anApplication(), [production], aPush({ message, branch: 'feature/x' }))).toEqual(nothing);
  });

  it('is written just so, in any case', () => {
    expect(['[skip deploy]', 'a [SKIP DEPLOY] b'].map(asksToSkip)).toEqual([true, true]);
    expect([null, '', 'skip deploy', '[skip-deploy]', '[skip ci]'].map(asksToSkip)).toEqual(Array(5).fill(false));
  });

  it('keeps no environment of a deleted branch', () => {
    const push = aPush({ branch: 'feature/x', isDeletion: true, head: null, message: '[skip deploy]' });
    expect(decideOnPush(anApplication(), [aPreview()], push).remove).toEqual(['env_2']);
  });
});

describe('a deleted branch', () => {
  const environments = [
    production,
    aPreview(),
    aPreview({ id: 'env_of_a_person', made_by_push: false, auto_deploy: false }),
    aPreview({ id: 'env_going', status: 'deleting' }),
    aPreview({ id: 'env_other', vcs_branch: 'feature/y' }),
    anEnvironment({ id: 'env_production', vcs_branch: 'feature/x' }),
  ];
  const gone = aPush({ branch: 'feature/x', isDeletion: true, head: null, message: null });

  it('takes all its environments along but production', () => {
    expect(decideOnPush(anApplication(), environments, gone)).toEqual({
      ...nothing,
      remove: ['env_2', 'env_of_a_person'],
    });
  });

  it('takes none where the application keeps them', () => {
    expect(decideOnPush(anApplication({ auto_delete_stale_envs: false }), environments, gone)).toEqual(nothing);
  });

  it('is none that git still has, nor one that no host has called deleted', () => {
    expect(decideOnPush(anApplication(), environments, { ...gone, head: 'new' })).toEqual(nothing);
    expect(decideOnPush(anApplication(), environments, { ...gone, isDeletion: false })).toEqual(nothing);
  });
});
