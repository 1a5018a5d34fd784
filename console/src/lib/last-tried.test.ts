import type { DeploymentStatus } from '@lilac/contract/states';
import { describe, expect, it } from 'vitest';
import { lastOutcome, lastTried } from './last-tried.ts';

const at = (minute: number, status: DeploymentStatus) => ({
  status,
  completed_at: status === 'building' ? null : `2026-11-16T07:0${minute}:00.000Z`,
});

describe('what was tried last', () => {
  it('is the newest, whatever became of it', () => {
    expect(lastTried([at(3, 'building'), at(2, 'failed')])).toEqual(at(3, 'building'));
    expect(lastTried([at(3, 'failed'), at(2, 'healthy')])).toEqual(at(3, 'failed'));
    expect(lastTried([at(3, 'cancelled'), at(2, 'healthy')])).toEqual(at(3, 'cancelled'));
    expect(lastTried([])).toBeNull();
  });

  it('is the failure where what came after it was stopped: nobody has mended it', () => {
    expect(lastTried([at(4, 'cancelled'), at(3, 'cancelled'), at(2, 'failed'), at(1, 'healthy')])).toEqual(
      at(2, 'failed'),
    );
  });

  it('is no failure that something good came after, such as a rollback', () => {
    expect(lastTried([at(3, 'cancelled'), at(2, 'failed'), at(4, 'healthy')])).toEqual(at(3, 'cancelled'));
  });
});

describe('the last outcome', () => {
  it('is of what ended last, however early it was begun, and never of what was stopped', () => {
    expect(lastOutcome([at(5, 'cancelled'), at(2, 'failed'), at(3, 'healthy')])).toEqual(at(3, 'healthy'));
    expect(lastOutcome([at(5, 'cancelled'), at(4, 'building')])).toBeNull();
  });
});
