import { expect, it } from 'vitest';
import { howBusy, judgeLoss } from './judge-loss.ts';

it('as many instances as before serve within 15 s of the loss, on a machine that has the time for it', () => {
  for (const busy of [0, 1, 4]) {
    expect(judgeLoss(15_000, busy).isInTime).toBe(true);
    expect(judgeLoss(15_001, busy).isInTime).toBe(false);
  }
  expect(judgeLoss(15_001, 4).said).toBe('15.0 s of 15 s promised; 4.0 programs wanted each processor before');
});

it('a machine that was busy before is allowed more, and says how much; never more than half as long again', () => {
  expect(judgeLoss(18_750, 5).isInTime).toBe(true);
  expect(judgeLoss(18_751, 5).isInTime).toBe(false);
  for (const busy of [6, 8, 100]) {
    expect(judgeLoss(22_500, busy).isInTime).toBe(true);
    expect(judgeLoss(22_501, busy).isInTime).toBe(false);
  }
  const said = '16.0 s of 15 s promised, 18.8 s allowed; 5.0 programs wanted each processor before';
  expect(judgeLoss(16_000, 5).said).toBe(said);
});

it('a time that was measured from anything but the loss is none', () => {
  expect(judgeLoss(-1, 0).isInTime).toBe(false);
  expect(judgeLoss(Number.NaN, 0).isInTime).toBe(false);
});

it('how busy a machine is can be said of this one', () => {
  expect(howBusy()).toBeGreaterThanOrEqual(0);
});
