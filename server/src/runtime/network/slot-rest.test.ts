import { expect, it } from 'vitest';
import { createSlotRest } from './slot-rest.ts';

function openRest() {
  const time = { now: 0 };
  const rest = createSlotRest({ clock: { now: () => new Date(time.now) }, restMs: 1000, restingCount: 2 });
  return { rest, time };
}

it('gives the networks back one after another, each when its time is over', () => {
  const { rest, time } = openRest();
  rest.add(2, { since: 500, isBare: false });
  rest.add(1, { since: 0, isBare: false });
  time.now = 999;
  expect(rest.takeRested()).toBeUndefined();
  time.now = 1000;
  expect([rest.takeRested(), rest.takeRested()]).toEqual([1, undefined]);
  time.now = 1500;
  expect([rest.takeRested(), rest.slots()]).toEqual([2, []]);
});

it('keeps so many networks, and every number until its time is over', () => {
  const { rest, time } = openRest();
  for (const slot of [1, 2, 3, 4]) rest.add(slot, { since: slot, isBare: false });
  expect([rest.strip(), rest.strip(), rest.strip()]).toEqual([1, 2, undefined]);
  expect(rest.slots()).toEqual([1, 2, 3, 4]);
  time.now = 1001;
  expect([rest.takeRested(), rest.takeOver(), rest.slots()]).toEqual([undefined, [1], [2, 3, 4]]);
  time.now = 1003;
  expect([rest.takeRested(), rest.takeOver(), rest.slots()]).toEqual([3, [2], [4]]);
});

it('gives nobody a network that is not whole any more', () => {
  const { rest, time } = openRest();
  for (const slot of [1, 2]) rest.add(slot, { since: 0, isBare: false });
  rest.keepWhole((slot) => slot === 2);
  time.now = 1000;
  expect([rest.takeRested(), rest.takeRested(), rest.takeOver()]).toEqual([2, undefined, [1]]);
});

it('has every number once, as it was told last', () => {
  const { rest, time } = openRest();
  rest.add(1, { since: 0, isBare: false });
  rest.add(1, { since: 0, isBare: true });
  time.now = 1000;
  expect([rest.takeRested(), rest.takeOver(), rest.slots()]).toEqual([undefined, [1], []]);
});
