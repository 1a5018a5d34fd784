import { describe, expect, it } from 'vitest';
import {
  backoffMs,
  isDue,
  isEnding,
  isUrgent,
  patienceMs,
  renewTime,
  statusAfterFailure,
  statusWhileLimited,
  urgentFrom,
} from './certificate.ts';

const DAY_MS = 24 * 60 * 60_000;
const start = new Date('2026-01-01T00:00:00Z');
const after = (days: number) => new Date(start.getTime() + days * DAY_MS);
const life = { notBefore: start, notAfter: after(90) };

describe('the time to renew', () => {
  it('is at two thirds of life, up to a twentieth later, always the same for one and spread over many', () => {
    const times = Array.from({ length: 500 }, (_, index) => renewTime(life, `crt_${index}`, start).getTime());
    const days = times.map((time) => (time - start.getTime()) / DAY_MS);
    expect(Math.min(...days)).toBeGreaterThanOrEqual(60);
    expect(Math.max(...days)).toBeLessThanOrEqual(64.5);
    expect(Math.max(...days) - Math.min(...days)).toBeGreaterThan(4);
    expect(renewTime(life, 'crt_1', start)).toEqual(renewTime(life, 'crt_1', after(1)));
  });

  it('of one that comes with most of its life behind it is a third of what is left; it is never at once', () => {
    expect(renewTime(life, 'crt_1', after(75))).toEqual(after(80));
    expect(renewTime(life, 'crt_1', after(91)).getTime() - after(91).getTime()).toBe(60 * 60_000);
  });
});

describe('what is due', () => {
  const none = { chain: null, renew_at: null, next_try_at: null, limited_until: null, waits_until: null };
  const there = { ...none, chain: 'x', renew_at: after(60) };

  it.each([
    ['one that is not there', none, 0, true],
    ['one that waits for its next try', { ...none, next_try_at: after(1) }, 0, false],
    ['the same when its time has come', { ...none, next_try_at: after(1) }, 1, true],
    ['one at its limit', { ...none, limited_until: after(1) }, 0.5, false],
    ['one for which the budget is used up', { ...none, waits_until: after(1) }, 0.5, false],
    ['one that is good', there, 59, false],
    ['one to be renewed', there, 60, true],
    ['one whose renewal failed a moment ago', { ...there, next_try_at: after(61) }, 60.5, false],
  ] as const)('%s', (_name, row, days, expected) => {
    expect(isDue(row, after(days))).toBe(expected);
  });
});

describe('after an attempt in vain', () => {
  it('each waits longer', () => {
    const minutes = [1, 2, 3, 4, 5, 6, 7, 100].map((tries) => backoffMs(tries) / 60_000);
    expect(minutes).toEqual([1, 5, 15, 60, 360, 1440, 1440, 1440]);
  });

  it('an authority that is away is looked for soon, later each time, and never all at once', () => {
    const seconds = [1, 2, 3, 4, 5, 6, 100].map((unreached) => patienceMs(unreached, () => 0.5) / 1000);
    expect(seconds).toEqual([30, 60, 120, 240, 480, 900, 900]);
    expect([patienceMs(1, () => 0), patienceMs(1, () => 1)]).toEqual([24_000, 36_000]);
  });

  const none = { chain: null, not_after: null, is_revoked: false };
  const good = { chain: 'x', not_after: after(90), is_revoked: false };

  it.each([
    ['that was refused', none, 1, true, 'failed'],
    ['whose authority is away', none, 1, false, 'provisioning'],
    ['whose authority stays away', none, 4, false, 'failed'],
    ['that is still good', good, 1, true, 'renewing'],
    ['that is still good, again and again', good, 5, true, 'failed'],
    ['that is still good, though the authority is away for days', good, 100, false, 'renewing'],
    ['that has ended', { ...good, not_after: after(1) }, 1, false, 'failed'],
    ['that was revoked', { ...good, is_revoked: true }, 1, false, 'failed'],
  ] as const)('a certificate %s', (_name, row, tries, isRefused, expected) => {
    expect(statusAfterFailure(row, { tries, isRefused, now: after(62) })).toBe(expected);
  });

  it('one that was revoked is no certificate while a limit is waited for; one that is good is', () => {
    expect(
      [{ ...good, is_revoked: true }, good].map((row) => statusWhileLimited({ ...row, status: 'renewing' })),
    ).toEqual(['failed', 'renewing']);
  });

  it('its renewal can wait until people are told', () => {
    const from = urgentFrom({ not_before: start, not_after: after(90) });
    expect(from).toEqual(after(75));
    expect(isUrgent({ is_revoked: false, not_before: start, not_after: after(90) }, after(75.1))).toBe(true);
  });

  it('people are told before it ends', () => {
    expect([74, 76, 91].map((days) => isEnding(life, after(days)))).toEqual([false, true, true]);
  });
});
