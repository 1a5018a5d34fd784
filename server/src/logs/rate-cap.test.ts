import { describe, expect, it } from 'vitest';
import { accessCapsOf, describeDropped, RateCap, usedBytesOf } from './rate-cap.ts';

const caps = { linesPerSecond: 100, bytesPerDay: 1000 };
const NOON = Date.UTC(2026, 10, 15, 12);

describe('what an environment may write', () => {
  it("is ten seconds' worth at once, then so many lines a second, and never more saved up", () => {
    const cap = new RateCap(caps, NOON);
    expect(cap.takeLines(5000, NOON)).toBe(1000);
    expect(cap.takeLines(1, NOON)).toBe(0);
    expect(cap.isRested(NOON)).toBe(false);
    expect(cap.takeLines(80, NOON + 500)).toBe(50);
    expect(cap.takeLines(5000, NOON + 3_600_000)).toBe(1000);
    expect(cap.isRested(NOON + 3_610_000)).toBe(true);
  });

  it('loses no part of a line when it is asked often', () => {
    const cap = new RateCap(caps, NOON);
    cap.takeLines(1000, NOON);
    let taken = 0;
    for (let ms = 1; ms <= 10_000; ms++) taken += cap.takeLines(1, NOON + ms);
    expect(taken).toBeGreaterThanOrEqual(999);
    expect(taken).toBeLessThanOrEqual(1000);
  });

  it('gains nothing from a clock that goes back', () => {
    const cap = new RateCap(caps, NOON);
    cap.takeLines(1000, NOON);
    expect(cap.takeLines(1, NOON - 60_000)).toBe(0);
  });

  it('is so many bytes a day, those of others included, and as much again on the next', () => {
    const cap = new RateCap(caps, NOON);
    cap.learn('2026-11-14', 5000);
    expect(cap.isDaySpent(NOON)).toBe(false);
    cap.learn('2026-11-15', 999);
    expect(cap.takeLines(1, NOON)).toBe(1);
    cap.spendBytes(1, NOON);
    expect(cap.isDaySpent(NOON)).toBe(true);
    expect(cap.takeLines(1, NOON)).toBe(0);
    expect(cap.isRested(NOON + 3_600_000)).toBe(false);
    expect(cap.takeLines(1, NOON + 12 * 3_600_000)).toBe(1);
    expect(cap.isRested(NOON + 13 * 3_600_000)).toBe(true);
  });

  it('is half of it for lines about requests, and less where others have taken more than theirs', () => {
    const access = accessCapsOf({ linesPerSecond: 5, bytesPerDay: 1000 });
    expect(access).toEqual({ linesPerSecond: 2, bytesPerDay: 500, isOfAccess: true });
    expect(accessCapsOf({ linesPerSecond: 1, bytesPerDay: 1000 }).linesPerSecond).toBe(1);
    expect(usedBytesOf(access, { bytes: 400, accessBytes: 100 })).toBe(100);
    expect(usedBytesOf(access, { bytes: 1000, accessBytes: 100 })).toBe(500);
    expect(usedBytesOf(caps, { bytes: 400, accessBytes: 100 })).toBe(400);
  });
});

describe('what is said of dropped lines', () => {
  it.each([
    [1, 'rate', '1 line was dropped here: more than 100 lines a second.'],
    [12_345, 'rate', '12,345 lines were dropped here: more than 100 lines a second.'],
    [2, 'day', "2 lines were dropped here: today's 0 MiB of log are used up. The next day begins at 00:00 UTC."],
    [3, 'behind', '3 lines were dropped here: they came faster than they could be stored.'],
  ] as const)('%d for %s', (lines, reason, text) => {
    expect(describeDropped(lines, reason, caps)).toBe(text);
  });

  it('names the access log where it is that', () => {
    const access = accessCapsOf({ linesPerSecond: 5000, bytesPerDay: 2 ** 30 });
    expect([describeDropped(1, 'rate', access), describeDropped(2, 'day', access)]).toEqual([
      '1 line of the access log was dropped here: more than 2,500 lines a second.',
      "2 lines of the access log were dropped here: today's 512 MiB of access log are used up. The next day begins at 00:00 UTC.",
    ]);
  });

  it('names a day as people do', () => {
    const told = [2 ** 30, 1.5 * 2 ** 20].map((bytesPerDay) => describeDropped(1, 'day', { ...caps, bytesPerDay }));
    expect(told).toEqual([expect.stringContaining("today's 1 GiB of"), expect.stringContaining("today's 1.5 MiB of")]);
  });
});
