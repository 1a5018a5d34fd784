import type { DeploymentStatus } from '@lilac/contract/states';
import { expect, it } from 'vitest';
import { sayRun } from './say-run.ts';
import { stageSteps } from './stage-steps.ts';

const at = (seconds: number) => new Date(seconds * 1000).toISOString();
const stages = [
  { stage: 'queued' as const, started_at: at(0) },
  { stage: 'fetching' as const, started_at: at(2) },
  { stage: 'building' as const, started_at: at(5) },
];

it.each([
  ['building', null, 'Stage 4 of 7: Build · 3 s'],
  ['failed', at(17), 'Failed at Build after 17 s'],
  ['cancelled', at(6), 'Cancelled at Build after 6.0 s'],
  ['healthy', at(12), '3 stages done in 12 s'],
] satisfies [DeploymentStatus, string | null, string][])('%s until %s: %s', (status, completed_at, said) => {
  const run = { status, deployment_stage: 'building' as const, stages, completed_at };
  expect(sayRun(run, stageSteps(run, { type: 'static', nowMs: 8600 }))).toBe(said);
});

it('says no time that is not known', () => {
  const run = { deployment_stage: 'building' as const, stages: [], completed_at: at(9) };
  const said = (status: DeploymentStatus) =>
    sayRun({ ...run, status }, stageSteps({ ...run, status }, { type: null, nowMs: 0 }));
  expect([said('failed'), said('healthy')]).toEqual(['Failed at Build', 'Build']);
});
