import { describe, expect, it } from 'vitest';
import { stageSteps } from './stage-steps.ts';

const at = (seconds: number) => new Date(seconds * 1000).toISOString();
const stages = [
  { stage: 'queued', started_at: at(0) },
  { stage: 'fetching', started_at: at(2) },
  { stage: 'building', started_at: at(5) },
] as const;
const of = (status: 'building' | 'healthy' | 'failed' | 'cancelled', completed_at: string | null) => ({
  status,
  deployment_stage: 'building' as const,
  stages: [...stages],
  completed_at,
});

describe('the way of a deployment', () => {
  it('while it is under way: each stage with its time, the current one up to now, and what is to come', () => {
    const steps = stageSteps(of('building', null), { type: 'static', nowMs: 9000 });
    expect(steps.map(({ stage, state, ms }) => [stage, state, ms])).toEqual([
      ['queued', 'done', 2000],
      ['fetching', 'done', 3000],
      ['detecting', 'done', null],
      ['building', 'current', 4000],
      ['packaging', 'waiting', null],
      ['routing', 'waiting', null],
      ['released', 'waiting', null],
    ]);
  });

  it('a program is started and checked besides', () => {
    const steps = stageSteps(of('building', null), { type: 'container', nowMs: 0 });
    expect(steps.map(({ stage }) => stage)).toEqual(expect.arrayContaining(['starting', 'checking']));
  });

  it.each([
    ['failed', 'failed'],
    ['cancelled', 'cancelled'],
  ] as const)('%s: ends where it ended', (status, state) => {
    const steps = stageSteps(of(status, at(6)), { type: 'static', nowMs: 99_000 });
    expect(steps).toHaveLength(3);
    expect(steps.at(-1)).toMatchObject({ stage: 'building', state, ms: 1000 });
  });

  it('being released takes no time', () => {
    const released = {
      status: 'healthy' as const,
      deployment_stage: 'released' as const,
      stages: [
        { stage: 'routing' as const, started_at: at(1) },
        { stage: 'released' as const, started_at: at(2) },
      ],
      completed_at: at(2),
    };
    expect(stageSteps(released, { type: null, nowMs: 9000 }).map(({ state, ms }) => [state, ms])).toEqual([
      ['done', 1000],
      ['done', null],
    ]);
  });

  it('of one without times the last stage is told', () => {
    const steps = stageSteps({ ...of('failed', at(6)), stages: [] }, { type: null, nowMs: 0 });
    expect(steps).toEqual([{ stage: 'building', label: 'Build', state: 'failed', ms: null }]);
  });
});
