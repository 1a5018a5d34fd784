import { describe, expect, it } from 'vitest';
import { describeStanding } from './describe-standing.ts';

describe('how an environment is', () => {
  it('what failed says whether anything is served', () => {
    expect(describeStanding({ status: 'failed', live_deployment_id: null }, null)).toContain('nothing is served');
    expect(describeStanding({ status: 'failed', live_deployment_id: 'dep_1' }, 1)).toContain(
      'the one before is served',
    );
  });

  it('does not blame what is served: an attempt that failed beside it is enough to be degraded', () => {
    const degraded = describeStanding({ status: 'degraded', live_deployment_id: 'dep_1' }, 1);
    expect(degraded).toContain('It is served');
    expect(degraded).not.toContain('what runs');
  });

  it('no instance is sleep, and not known is not sleep', () => {
    const healthy = { status: 'healthy', live_deployment_id: 'dep_1' } as const;
    expect(describeStanding(healthy, 0)).toContain('Asleep');
    expect(describeStanding(healthy, null)).not.toContain('Asleep');
    expect(describeStanding(healthy, 2)).not.toContain('Asleep');
  });
});
