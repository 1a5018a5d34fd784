import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { retryDelayMs, type ClaimedJob } from './job.ts';
import { decideOutcome, delayAfterDeath, messageOf, MOST_DEATHS, verdictBeforeRun } from './outcome.ts';

const backoff = { firstMs: 1000, maxMs: 60_000 };
const job: ClaimedJob = {
  id: '1',
  kind: 'test',
  payload: {},
  group_name: null,
  attempt: 1,
  max_attempts: 3,
  deaths: 0,
  claim: '1',
  cancel_requested: false,
  request_id: null,
  error: null,
};
const broken = { ok: false as const, error: new Error('broken') };

describe('the wait before another attempt', () => {
  it('doubles each time, up to a limit, and is spread by a quarter either way', () => {
    const middles = [1, 2, 3, 4, 5, 6, 7, 8].map((attempt) => retryDelayMs(attempt, backoff, () => 0.5));
    expect(middles).toEqual([1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000]);
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5000 }), fc.double({ min: 0, max: 1, noNaN: true }), (attempt, random) => {
        const waitMs = retryDelayMs(attempt, backoff, () => random);
        expect(waitMs).toBeGreaterThanOrEqual(750);
        expect(waitMs).toBeLessThanOrEqual(75_000);
      }),
    );
  });
});

describe('the pause after a death', () => {
  it('is none after the first or before the end, and else of any length up to one that grows', () => {
    const many = { ...job, max_attempts: 100 };
    const longest = [0, 1, 2, 3, 4].map((deaths) => delayAfterDeath({ ...many, deaths }, () => 1));
    expect(longest).toEqual([0, 2000, 8000, 32_000, 0]);
    expect(delayAfterDeath({ ...many, deaths: 3 }, () => 0)).toBe(0);
    expect(delayAfterDeath({ ...job, attempt: 3, deaths: 2 }, () => 1)).toBe(0);
  });
});

describe('the outcome of an attempt', () => {
  it('is another try after a failure, and the end after the last', () => {
    expect(decideOutcome(job, broken, { stopped: null, hasHung: false, backoff })).toMatchObject({
      kind: 'retry',
      isCounted: true,
    });
    expect(decideOutcome({ ...job, attempt: 3 }, broken, { stopped: null, hasHung: false, backoff })).toEqual({
      kind: 'end',
      end: { state: 'failed', error: 'broken' },
    });
  });

  it.each(['stopping', 'lost'] as const)('is not held against the job when the worker was %s', (stopped) => {
    const last = { ...job, attempt: 3 };
    expect(decideOutcome(last, broken, { stopped, hasHung: false, backoff })).toMatchObject({
      kind: 'retry',
      isCounted: false,
      delayMs: 0,
    });
  });

  it('is held against a job that was lost because its worker hung, and not against one that was stopped then', () => {
    const hung = { hasHung: true, backoff };
    const died = { kind: 'retry', isCounted: true, isDeath: true, delayMs: 0 };
    expect(decideOutcome(job, broken, { stopped: 'lost', ...hung })).toMatchObject(died);
    expect(decideOutcome(job, broken, { stopped: 'stopping', ...hung })).toMatchObject({ isCounted: false });
  });

  it('is known without a run for a job whose worker ended too often, however many attempts it has left', () => {
    const many = { ...job, attempt: 6, max_attempts: 100 };
    expect(verdictBeforeRun({ ...many, deaths: MOST_DEATHS - 1 })).toBeNull();
    expect(verdictBeforeRun({ ...many, deaths: MOST_DEATHS })).toMatchObject({
      end: { state: 'failed', error: "The platform's worker ended 5 times while it ran this." },
    });
  });

  it('is known without a run for a job that was cancelled or whose attempts are used up', () => {
    expect(verdictBeforeRun(job)).toBeNull();
    expect(verdictBeforeRun({ ...job, cancel_requested: true })).toMatchObject({ end: { state: 'cancelled' } });
    expect(verdictBeforeRun({ ...job, attempt: 4, error: 'died' })).toMatchObject({
      end: { state: 'failed', error: 'died' },
    });
  });

  it('holds a text that the store can keep', () => {
    expect(messageOf(new Error('a\0b'))).toBe('a\uFFFDb');
    expect(messageOf('x'.repeat(10_000))).toHaveLength(4000);
  });
});
