import { describe, expect, it } from 'vitest';
import { withStatus } from './with-status.ts';

const at = (seconds: number) => new Date(seconds * 1000).toISOString();
const building = {
  status: 'building',
  deployment_stage: 'installing',
  stages: [
    { stage: 'fetching', started_at: at(1) },
    { stage: 'installing', started_at: at(2) },
  ],
  completed_at: null,
  is_live: false,
  first_run: null,
} as const;
const deployment = { ...building, stages: [...building.stages] };
const stagesOf = ({ stages }: { stages: { stage: string }[] }) => stages.map(({ stage }) => stage);

describe('a deployment of which the stream tells', () => {
  it('goes on to the next stage', () => {
    const next = withStatus(deployment, {
      status: 'building',
      deployment_stage: 'building',
      is_live: false,
      at: at(5),
    });
    expect(stagesOf(next)).toEqual(['fetching', 'installing', 'building']);
    expect(next.stages.at(-1)!.started_at).toBe(at(5));
    expect(next.completed_at).toBeNull();
  });

  it('that is told again stays as it is', () => {
    const same = withStatus(deployment, {
      status: 'building',
      deployment_stage: 'installing',
      is_live: false,
      at: at(9),
    });
    expect(same.stages).toEqual(deployment.stages);
  });

  it('that was interrupted begins again where it says', () => {
    const again = withStatus(deployment, {
      status: 'building',
      deployment_stage: 'fetching',
      is_live: false,
      at: at(9),
    });
    expect(again.stages).toEqual([{ stage: 'fetching', started_at: at(9) }]);
  });

  it('that has ended has the time of its end', () => {
    const failed = withStatus(deployment, {
      status: 'failed',
      deployment_stage: 'installing',
      is_live: false,
      at: at(9),
    });
    expect([failed.status, failed.completed_at, stagesOf(failed)]).toEqual([
      'failed',
      at(9),
      ['fetching', 'installing'],
    ]);
  });

  it('is served where the stream says so, and only there', () => {
    const good = { status: 'healthy', deployment_stage: 'released', at: at(9) } as const;
    expect(withStatus(deployment, { ...good, is_live: true }).is_live).toBe(true);
    expect(withStatus({ ...deployment, is_live: true }, { ...good, is_live: false }).is_live).toBe(false);
  });

  it.each([
    ['files', 'routing'],
    ['a server', 'starting'],
  ] as const)('of %s that was good before ends where it stopped, unless it is served again', (_, stage) => {
    const good = { status: 'healthy', deployment_stage: 'released', at: at(9) } as const;
    const stages = [{ stage, started_at: at(8) }];
    const first_run = { stages: [], completed_at: at(1) };
    const again = { ...deployment, status: 'deploying' as const, deployment_stage: stage, stages, first_run };
    const [stopped, served] = [false, true].map((is_live) => withStatus(again, { ...good, is_live }));
    expect([stopped!.is_live, stagesOf(stopped!)]).toEqual([false, [stage]]);
    expect([served!.is_live, stagesOf(served!)]).toEqual([true, [stage, 'released']]);
  });
});
