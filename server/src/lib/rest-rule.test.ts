import { describe, expect, it } from 'vitest';
import { RestRule, type Look } from './rest-rule.ts';

const MB = 1024 ** 2;
const look = (heldMb: number, more: Partial<Look> = {}): Look => ({
  atMs: 0,
  busyShare: 0,
  heldBytes: heldMb * MB,
  ...more,
});

describe('a process that rests', () => {
  it('collects what its work has left, and not what it needs from the start', () => {
    const rule = new RestRule({ restShare: 0.05 });
    expect(rule.isDue(look(60))).toBe(false);
    expect(rule.isDue(look(63))).toBe(false);
    expect(rule.isDue(look(70))).toBe(true);
  });

  it('collects less where less is worth the while', () => {
    const rule = new RestRule({ restShare: 0.05, worthBytes: MB });
    expect(rule.isDue(look(12))).toBe(false);
    expect(rule.isDue(look(13))).toBe(true);
  });

  it('does not while it works', () => {
    const rule = new RestRule({ restShare: 0.05 });
    rule.isDue(look(60));
    expect(rule.isDue(look(90, { busyShare: 0.1 }))).toBe(false);
    expect(rule.isDue(look(90, { busyShare: 0.001 }))).toBe(true);
  });

  it('does not again and again for what it needs since', () => {
    const rule = new RestRule({ restShare: 0.05 });
    rule.isDue(look(60));
    expect(rule.isDue(look(90))).toBe(true);
    rule.noteCollected({ atMs: 0, tookMs: 20 });
    expect(rule.isDue(look(80, { atMs: 60_000 }))).toBe(false);
    expect(rule.isDue(look(80, { atMs: 90_000 }))).toBe(false);
    expect(rule.isDue(look(90, { atMs: 90_000 }))).toBe(true);
  });

  it('stands still for hardly any of its time, however much is left each time', () => {
    const rule = new RestRule({ restShare: 0.05 });
    let stoodStillMs = 0;
    for (let atMs = 0; atMs < 600_000; atMs += 2000) {
      rule.isDue(look(60, { atMs }));
      if (!rule.isDue(look(90, { atMs }))) continue;
      rule.noteCollected({ atMs, tookMs: 50 });
      stoodStillMs += 50;
    }
    expect(stoodStillMs).toBeGreaterThan(0);
    expect(stoodStillMs / 600_000).toBeLessThan(0.003);
  });
});
