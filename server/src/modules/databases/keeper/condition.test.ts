import { describe, expect, it } from 'vitest';
import type { DatabaseRow } from '../../../db/schema.ts';
import { conditionOf, type Circumstances } from './condition.ts';
import type { Situation } from './decide.ts';

const up = { isMade: true, isRunning: true, failures: 0, mayStart: true };
const row = { status: 'healthy', error: null, is_full: false, storage_gb: 10 } as DatabaseRow;
const primary = { ...up, isHung: false, isAtWall: false };
const situation: Situation = {
  status: 'healthy',
  isHa: false,
  primary,
  standby: null,
  pairing: { failures: 0, mayTry: true },
};
const well: Circumstances = { situation, words: null, isSilent: false };
const withPrimary = (view: Partial<typeof primary>): Circumstances => ({
  ...well,
  situation: { ...situation, primary: { ...primary, ...view } },
});

describe('the condition of a database', () => {
  it('is not written again where it is right', () => {
    expect(conditionOf(row, well)).toBeNull();
    const told = conditionOf(row, withPrimary({ isRunning: false }))!;
    expect(conditionOf({ ...row, ...told }, withPrimary({ isRunning: false }))).toBeNull();
  });

  it('is degraded with the reason while it is down, failed after many tries, healthy again afterwards', () => {
    const words = 'could not bind';
    const down = conditionOf(row, { ...withPrimary({ isRunning: false, failures: 2 }), words });
    expect(down).toEqual({
      status: 'degraded',
      error: 'Its server is down and is being started again. could not bind',
    });
    const lost = conditionOf(row, { ...withPrimary({ isRunning: false, failures: 10 }), words });
    expect(lost).toEqual({
      status: 'failed',
      error: 'Its server is down and does not start, though it was tried many times. could not bind',
    });
    expect(conditionOf({ ...row, ...lost! }, well)).toEqual({ status: 'healthy', error: null });
  });

  it('tells that storage is used up, that it is silent, that it has no spare', () => {
    expect(conditionOf({ ...row, is_full: true }, well)?.error).toMatch(/10 GB.*Grow/);
    expect(conditionOf(row, { ...well, isSilent: true })?.status).toBe('degraded');
    const ha = (standby: Situation['standby']) => ({ ...well, situation: { ...situation, isHa: true, standby } });
    expect(conditionOf(row, ha(null))?.error).toMatch(/second server/);
    expect(conditionOf(row, ha({ ...up, isInStep: false }))?.status).toBe('degraded');
    expect(conditionOf(row, ha({ ...up, isInStep: true, isRunning: false }))?.status).toBe('degraded');
    expect(conditionOf(row, ha({ ...up, isInStep: true }))).toBeNull();
  });

  it('leaves alone what a job said, until there is something to say of the servers', () => {
    const failed = { ...row, error: 'The change failed.' };
    expect(conditionOf(failed, well)).toBeNull();
    expect(conditionOf({ ...failed, status: 'degraded' }, well)).toBeNull();
    expect(conditionOf(failed, { ...well, isSilent: true })?.status).toBe('degraded');
  });

  it.each(['provisioning', 'updating', 'deleting'] as const)('is not told while it is %s', (status) => {
    const moving = { ...withPrimary({ isRunning: false }).situation, status };
    expect(conditionOf({ ...row, status }, { ...well, situation: moving })).toBeNull();
  });

  it('is not told of one that was never set up', () => {
    expect(
      conditionOf({ ...row, status: 'failed', error: 'no room' }, withPrimary({ isMade: false, isRunning: false })),
    ).toBeNull();
  });
});
