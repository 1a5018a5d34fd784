import { expect, it } from 'vitest';
import { howBusy, judgeLoss } from './judge-loss.ts';

it('as many instances as before serve within 15 s of the loss, however busy the machine is, which is said', () => {
  for (const busy of [0, 1, 4, 8, 100]) {
    expect(judgeLoss(15_000, busy).isInTime).toBe(true);
    expect(judgeLoss(15_001, busy).isInTime).toBe(false);
  }
  expect(judgeLoss(15_001, 8).said).toBe('15.0 s of 15 s promised; 8.0 programs wanted each processor before');
});

it('a time that was measured from anything but the loss is none', () => {
  expect(judgeLoss(-1, 0).isInTime).toBe(false);
  expect(judgeLoss(Number.NaN, 0).isInTime).toBe(false);
});

it('how busy a machine is can be said of this one', () => {
  expect(howBusy()).toBeGreaterThanOrEqual(0);
});
