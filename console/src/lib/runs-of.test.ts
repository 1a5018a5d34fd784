import { describe, expect, it } from 'vitest';
import { runsOf, titleOf } from './runs-of.ts';

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

  it.each([
    ['files', ['routing']],
    ['a server', ['starting']],
  ] as const)('tell of a rollback to %s that came to nothing that it was stopped, and where', (_, names) => {
    const { again } = runsOf({ ...deployment, stages: stages(...names) });
    expect(again).toMatchObject({ status: 'cancelled', deployment_stage: names[0], completed_at: at(20) });
    expect(again!.stages.map(({ stage }) => stage)).toEqual(names);
  });

  it.each([
    ['deploying', 'starting', ['starting'], 'Being served again'],
    ['failed', 'starting', ['starting'], 'Serving it again failed'],
    ['failed', 'routing', ['routing'], 'Serving it again failed'],
    ['healthy', 'released', ['starting'], 'Serving it again was cancelled'],
    ['healthy', 'released', ['routing'], 'Serving it again was cancelled'],
    ['healthy', 'released', ['routing', 'released'], 'Served again'],
    ['healthy', 'released', ['starting', 'routing', 'released'], 'Served again'],
  ] as const)('%s, %s after %j: only one that was is called served again', (status, deployment_stage, names, title) => {
    const { again } = runsOf({ ...deployment, status, deployment_stage, stages: stages(...names) });
    expect(titleOf(again!)).toBe(title);
  });
});
