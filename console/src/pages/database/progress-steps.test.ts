import { describe, expect, it } from 'vitest';
import { adviseWaiting, describeProgress, provisioningSteps } from './progress-steps.ts';

const statesOf = (...given: Parameters<typeof provisioningSteps>) =>
  provisioningSteps(...given).map(({ label, state }) => `${label}: ${state}`);

describe('setting a database up', () => {
  it('shows what is done, what happens and what is to come', () => {
    expect(statesOf({ ha_enabled: false }, 'starting the server')).toEqual([
      'Queued: done',
      'Preparing files: done',
      'Starting the server: current',
      'Creating accounts: waiting',
      'Checking: waiting',
    ]);
  });

  it('has a standby only where there is one, and data only where it is restored', () => {
    expect(statesOf({ ha_enabled: true }, 'importing').slice(4)).toEqual([
      'Importing: current',
      'Starting the standby: waiting',
      'Checking: waiting',
    ]);
  });

  it('has not begun until it is told', () => {
    expect(statesOf({ ha_enabled: false })[0]).toBe('Queued: current');
  });
});

describe('the line above the bar', () => {
  it('says the step', () => {
    const progress = { status: 'updating', step: 'growing storage', percent: 10 } as const;
    expect(describeProgress('updating', progress)).toEqual({ words: 'Changing: growing storage…', percent: 10 });
  });

  it('says what is being done where no step was told', () => {
    expect(describeProgress('deleting', null)).toEqual({ words: 'Deleting…', percent: 0 });
  });
});

it('that an import cannot be cancelled is said while one runs, with what to do; not of a restore, nor of anything else', () => {
  expect(adviseWaiting('updating', 'importing')).toMatch(/cannot be cancelled.*wait for its end, then/);
  expect([adviseWaiting('provisioning', 'importing'), adviseWaiting('updating', 'growing storage')]).toEqual([
    null,
    null,
  ]);
  expect(adviseWaiting('updating')).toBeNull();
});
