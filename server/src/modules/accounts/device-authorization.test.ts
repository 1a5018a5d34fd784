import { describe, expect, it } from 'vitest';
import { judgePoll, newUserCode, normaliseUserCode, showUserCode, type PollState } from './device-authorization.ts';

describe('user codes', () => {
  it('are eight consonants that survive however people type them', () => {
    for (let i = 0; i < 200; i++) {
      const code = newUserCode();
      expect(code).toMatch(/^[BCDFGHJKLMNPQRSTVWXZ]{8}$/);
      expect(showUserCode(code)).toBe(`${code.slice(0, 4)}-${code.slice(4)}`);
      expect(normaliseUserCode(` ${showUserCode(code).toLowerCase().replace('-', ' – ')} `)).toBe(code);
    }
  });

  it.each(['', 'BCDF', 'BCDF-GHJA', 'BCDF-GHJKL', 'BCDF-GHJ1'])('"%s" is none', (text) => {
    expect(normaliseUserCode(text)).toBeNull();
  });
});

describe('judgePoll', () => {
  const start = new Date(1_000_000);
  const after = (seconds: number) => new Date(start.getTime() + seconds * 1000);
  const device: PollState = { state: 'pending', expires_at: after(600), last_polled_at: start, interval_seconds: 5 };

  it('asks to go on while nobody has decided', () => {
    expect(judgePoll({ ...device, last_polled_at: null }, start)).toEqual({
      outcome: 'authorization_pending',
      intervalSeconds: 5,
    });
    expect(judgePoll(device, after(5))).toEqual({ outcome: 'authorization_pending', intervalSeconds: 5 });
    expect(judgePoll(device, after(4.8)).outcome).toBe('authorization_pending');
  });

  it('lengthens the interval by five seconds for a poll that comes too soon', () => {
    expect(judgePoll(device, after(2))).toEqual({ outcome: 'slow_down', intervalSeconds: 10 });
    expect(judgePoll({ ...device, interval_seconds: 10 }, after(6))).toEqual({
      outcome: 'slow_down',
      intervalSeconds: 15,
    });
  });

  it('answers a decision at once, however soon the poll comes', () => {
    expect(judgePoll({ ...device, state: 'approved' }, after(1)).outcome).toBe('approved');
    expect(judgePoll({ ...device, state: 'denied' }, after(1)).outcome).toBe('access_denied');
    expect(judgePoll({ ...device, state: 'consumed' }, after(1)).outcome).toBe('invalid_grant');
  });

  it('expires, approved or not', () => {
    expect(judgePoll(device, after(600)).outcome).toBe('expired_token');
    expect(judgePoll(device, after(601)).outcome).toBe('expired_token');
    expect(judgePoll({ ...device, state: 'approved' }, after(600)).outcome).toBe('expired_token');
  });
});
