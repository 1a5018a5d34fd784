import { expect, it } from 'vitest';
import { howBusy, judgeLoss } from './judge-loss.ts';

it('as many instances as before serve within 15 s of the loss, on a machine that has the time for it', () => {
  for (const busy of [0, 1, 2]) {
    expect(judgeLoss(15_000, busy).isInTime).toBe(true);
    expect(judgeLoss(15_001, busy).isInTime).toBe(false);
  }
  expect(judgeLoss(15_001, 2).said).toBe('15.0 s of 15.0 s; 2.0 programs want each processor');
});

it('a busy machine is allowed more, and says how much; never so long as one likes', () => {
  expect(judgeLoss(30_000, 4).isInTime).toBe(true);
  expect(judgeLoss(30_001, 4).isInTime).toBe(false);
  expect(judgeLoss(45_000, 100).isInTime).toBe(true);
  expect(judgeLoss(45_001, 100).isInTime).toBe(false);
  expect(judgeLoss(16_000, 4).said).toBe('16.0 s of 30.0 s; 4.0 programs want each processor');
});

it('a time that was measured from anything but the loss is none', () => {
  expect(judgeLoss(-1, 0).isInTime).toBe(false);
  expect(judgeLoss(Number.NaN, 0).isInTime).toBe(false);
});

it('how busy a machine is can be said of this one', () => {
  expect(howBusy()).toBeGreaterThanOrEqual(0);
});
