import { describe, expect, it } from 'vitest';
import { expiryOf } from './key-expiry.ts';

describe('expiryOf', () => {
  const now = Date.parse('2026-03-01T12:00:00Z');

  it('is a moment that many days ahead', () => {
    expect(expiryOf('month', now)).toBe('2026-03-31T12:00:00.000Z');
  });

  it('is nothing for a key that works until it is revoked', () => {
    expect(expiryOf('never', now)).toBeUndefined();
  });
});
