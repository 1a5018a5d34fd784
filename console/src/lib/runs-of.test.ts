import { describe, expect, it } from 'vitest';
import { runsOf } from './runs-of.ts';

const at = (seconds: number) => new Date(seconds * 1000).toISOString();
const stages = (...names: ('starting' | 'routing' | 'released')[]) =>
  names.map((stage, index) => ({ stage, started_at: at(10 + index) }));
const deployment = {
  status: 'healthy',
  deployment_stage: 'released',
  completed_at: at(20),
  first_run: { stages: stages('routing', 'released'), completed_at: at(2) },
} as const;

describe('the runs of a deployment', () => {
  it('are its build alone until somebody goes back to it', () => {
    const built = { ...deployment, stages: stages('starting', 'routing', 'released'), first_run: null };
    expect(runsOf(built)).toEqual({ build: built, again: null });
  });

  it('are the last rollback too', () => {
    const again = { ...deployment, stages: stages('starting', 'routing', 'released') };
    expect(runsOf(again).again).toEqual(again);
  });

  it('tell of a rollback that came to nothing that it was stopped, and where', () => {
    const { again } = runsOf({ ...deployment, stages: stages('starting', 'released') });
    expect(again).toMatchObject({ status: 'cancelled', deployment_stage: 'starting', completed_at: at(20) });
    expect(again!.stages.map(({ stage }) => stage)).toEqual(['starting']);
  });
});
