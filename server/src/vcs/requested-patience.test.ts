import { describe, expect, it } from 'vitest';
import { requestedPatience } from './requested-patience.ts';

const now = Date.parse('2026-03-01T12:00:00Z');
const asked = (status: number, headers: Record<string, string>, text = '') => {
  const patience = requestedPatience({ status, headers: new Headers(headers), text: () => text }, now);
  return patience && [patience.milliseconds / 1000, patience.concerns, patience.isRefusal];
};

describe('how long a host wants to be left in peace', () => {
  it('is told by Retry-After, as seconds or as a time', () => {
    expect(asked(429, { 'retry-after': '7' })).toEqual([7, 'credential', true]);
    expect(asked(403, { 'retry-after': '7' })).toEqual([7, 'credential', true]);
    expect(asked(429, { 'retry-after': 'Sun, 01 Mar 2026 12:01:30 GMT' })).toEqual([90, 'credential', true]);
    expect(asked(429, { 'retry-after': 'Sun, 01 Mar 2026 11:00:00 GMT' })).toEqual([0, 'credential', true]);
    expect(asked(503, { 'retry-after': '120' })).toEqual([120, 'host', true]);
  });

  it('is told by the time at which the count begins anew, under either name and in either unit', () => {
    const at = String(now / 1000 + 600);
    expect(asked(403, { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': at })).toEqual([600, 'credential', true]);
    expect(asked(429, { 'ratelimit-remaining': '0', 'ratelimit-reset': at })).toEqual([600, 'credential', true]);
    expect(asked(429, { 'ratelimit-remaining': '0', 'ratelimit-reset': '30' })).toEqual([30, 'credential', true]);
  });

  it('is a minute where a refusal says nothing', () => {
    expect(asked(429, {})).toEqual([60, 'credential', true]);
    expect(asked(429, { 'retry-after': 'soon' })).toEqual([60, 'credential', true]);
    expect(asked(403, {}, '{"message":"You have exceeded a secondary rate limit."}')).toEqual([60, 'credential', true]);
  });

  it('is known beforehand, when a good answer was the last for now', () => {
    const at = String(now / 1000 + 600);
    expect(asked(200, { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': at })).toEqual([600, 'credential', false]);
    expect(asked(200, { 'x-ratelimit-remaining': '0' })).toBeNull();
    expect(asked(200, { 'x-ratelimit-remaining': '1', 'x-ratelimit-reset': at })).toBeNull();
  });

  it('is an hour at most, whatever is said', () => {
    const nextYear = String(now / 1000 + 365 * 86_400);
    expect(asked(429, { 'retry-after': '90000' })).toEqual([3600, 'credential', true]);
    expect(asked(503, { 'retry-after': 'Sun, 01 Mar 2099 12:00:00 GMT' })).toEqual([3600, 'host', true]);
    for (const status of [200, 403]) {
      const headers = { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': nextYear };
      expect(asked(status, headers)?.[0]).toBe(3600);
    }
  });

  it('is nothing where something else is refused', () => {
    expect(asked(403, { 'x-ratelimit-remaining': '4000' }, '{"message":"Resource not accessible"}')).toBeNull();
    expect(asked(503, {})).toBeNull();
    expect(asked(404, {})).toBeNull();
  });
});
