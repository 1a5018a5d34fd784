import { describe, expect, it } from 'vitest';
import type { Deployment } from '../../../lib/describe-deployment.ts';
import { describeStanding } from './describe-standing.ts';

const unknown = { instances: null, deployments: [] };

const at = (minute: number, more: Partial<Deployment> = {}) =>
  ({
    id: `dep_${minute}`,
    status: 'healthy',
    is_live: false,
    started_at: `2026-11-16T07:0${minute}:00.000Z`,
    stages: [],
    first_run: null,
    ...more,
  }) as Deployment;

const live = { is_live: true };
const anew: Partial<Deployment> = { status: 'building' };
const again: Partial<Deployment> = {
  status: 'deploying',
  first_run: { stages: [], completed_at: null },
  stages: [{ stage: 'starting', started_at: '2026-11-16T07:05:00.000Z' }],
};

const first = (status: 'pending' | 'deploying', deployments: Deployment[]) =>
  describeStanding({ status, live_deployment_id: null }, { instances: null, deployments });

const moving = (...deployments: Deployment[]) =>
  describeStanding({ status: 'deploying', live_deployment_id: 'dep_1' }, { instances: 1, deployments });

describe('how an environment is', () => {
  it('what failed says whether anything is served', () => {
    expect(describeStanding({ status: 'failed', live_deployment_id: null }, unknown)).toContain('nothing is served');
    expect(describeStanding({ status: 'failed', live_deployment_id: 'dep_1' }, unknown)).toContain(
      'the one before is served',
    );
  });

  it('what failed before one that was stopped is not called the last', () => {
    const deployments = [at(2, { status: 'cancelled' }), at(1, { status: 'failed' })];
    const told = describeStanding({ status: 'failed', live_deployment_id: null }, { instances: null, deployments });
    expect(told).toBe('The last deployment that was not cancelled failed, and nothing is served.');
  });

  it('does not blame what is served: an attempt that failed beside it is enough to be degraded', () => {
    const degraded = describeStanding({ status: 'degraded', live_deployment_id: 'dep_1' }, unknown);
    expect(degraded).toContain('It is live');
    expect(degraded).not.toContain('what runs');
  });

  it('no instance is sleep, and not known is not sleep', () => {
    const healthy = { status: 'healthy', live_deployment_id: 'dep_1' } as const;
    const told = (instances: number | null) => describeStanding(healthy, { instances, deployments: [] });
    expect(told(0)).toContain('Asleep');
    expect(told(null)).not.toContain('Asleep');
    const neverAsleep = describeStanding({ ...healthy, min_instances: 1 }, { instances: 0, deployments: [] });
    expect(neverAsleep).toContain('is starting');
    expect(told(2)).not.toContain('Asleep');
    const raised = (instances: number) =>
      describeStanding({ ...healthy, min_instances: 3 }, { instances, deployments: [] });
    expect(raised(1)).toContain('more instances are starting');
    expect(raised(3)).toContain('everything is fine');
  });

  it('before the first is served, says whether one waits or moves', () => {
    expect(first('pending', [])).toContain('Nothing has been deployed');
    expect(first('pending', [at(1, { status: 'pending' })])).toContain('waits for its turn');
    expect(first('deploying', [at(1, anew)])).toMatch(/on its way; nothing is served yet/);
  });

  it('says that the first was stopped, and not that there was none', () => {
    expect(first('pending', [at(1, { status: 'cancelled' })])).toMatch(/^The deployment was cancelled .* again/);
  });
});

it('does not call well what its own domain does not lead to', () => {
  const healthy = { status: 'healthy', live_deployment_id: 'dep_1' } as const;
  const said = (isDomainTroubled: boolean) =>
    describeStanding(healthy, { instances: null, deployments: [], isDomainTroubled });
  expect(said(true)).toBe('It is live, but its domain needs attention: see below.');
  expect(said(false)).toBe('It is live, and everything is fine.');
});

describe('how an environment is while something moves', () => {
  it.each([
    ['nothing is known of it', [], /^A deployment is on its way;/],
    ['it is built', [at(2, anew), at(1, live)], /^A new deployment is on its way;/],
    ['it was rolled back', [at(2, live), at(1, again)], /^It goes back to an earlier deployment;/],
    ['it was rolled forward', [at(2, again), at(1, live)], /^It goes forward to a newer deployment;/],
    ['what is served was asked for again', [at(2), at(1, { ...live, ...again })], /released again\.$/],
  ] as const)('says so where %s', (_, deployments, words) => {
    expect(moving(...deployments)).toMatch(words);
  });

  it('tells of a new one beside a rollback only where it was asked for after that', () => {
    expect(moving(at(6, anew), at(2, live), at(1, again))).toMatch(/^It goes back.* a new deployment is on its way\.$/);
    expect(moving(at(4, anew), at(2, live), at(1, again))).not.toContain('new deployment');
  });
});
