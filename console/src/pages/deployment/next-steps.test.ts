import { describe, expect, it } from 'vitest';
import { nextSteps, type Words } from './next-steps.ts';

const failed = (deployment_stage: 'fetching' | 'detecting' | 'building' | 'checking') => ({
  deployment: { status: 'failed', deployment_stage } as const,
  applicationId: 'app_1',
  environmentId: 'env_1',
  source: 'upload' as const,
  isServed: false,
  isOvertaken: false,
});
const said = (words: Words) => words.map((word) => (typeof word === 'string' ? word : word.text)).join('');
const places = (words: Words) => words.flatMap((word) => (typeof word === 'string' ? [] : word.href));

describe('after a first deployment that failed', () => {
  it('an archive can be uploaded anew, or built otherwise', () => {
    const steps = nextSteps(failed('building'));
    expect(said(steps)).toBe(
      'Nothing is served yet. Fix the project and upload a new version, or look at how it is built and its variables; then deploy it again.',
    );
    expect(places(steps)).toEqual(['/environments/env_1/settings', '/environments/env_1/variables']);
  });

  it('a repository is pushed to', () => {
    expect(said(nextSteps({ ...failed('building'), source: 'vcs' }))).toContain('push it');
  });

  it.each([
    ['checking', '/environments/env_1/logs'],
    ['fetching', '/repositories'],
    ['detecting', '/apps/app_1/settings'],
  ] as const)('in the stage %s, %s is what to look at first', (stage, href) => {
    expect(places(nextSteps(failed(stage)))[0]).toBe(href);
  });
});

it('after one that was stopped, what is true is said, and how to go on', () => {
  const stopped = { ...failed('building'), deployment: { status: 'cancelled', deployment_stage: 'building' } } as const;
  expect(said(nextSteps(stopped))).toMatch(/^Nothing is served yet\. Deploy it again, or upload a new version/);
  expect(said(nextSteps({ ...stopped, isServed: true }))).toMatch(/^The previous version is still live/);
});

it('of one that was followed by another, or is well, nothing is to be done', () => {
  expect(nextSteps({ ...failed('building'), isOvertaken: true })).toEqual([]);
  expect(nextSteps({ ...failed('building'), deployment: { status: 'healthy', deployment_stage: 'released' } })).toEqual(
    [],
  );
});
