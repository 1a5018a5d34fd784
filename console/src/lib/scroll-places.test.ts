import { beforeEach, expect, it } from 'vitest';
import { PATIENCE_MS, ScrollPlaces } from './scroll-places.ts';

let [topPx, mostPx, nowMs] = [0, 0, 0];
let places: ScrollPlaces;

beforeEach(() => {
  [topPx, mostPx, nowMs] = [0, 2000, 0];
  const scrollTo = (px: number) => (topPx = px);
  places = new ScrollPlaces({ topPx: () => topPx, mostPx: () => mostPx, scrollTo, nowMs: () => nowMs });
});

/** Somebody reads on, and follows a link. */
function leaveAt(px: number): void {
  topPx = px;
  places.note('list');
  [topPx, mostPx] = [0, 300];
  places.note('page');
}

it('the way back leads to the place that was left, as soon as the page is high enough', () => {
  leaveAt(1500);
  mostPx = 0;
  places.comeBack('list');
  expect(topPx).toBe(0);
  places.note('list');
  mostPx = 700;
  places.grow();
  expect(topPx, 'as far as it goes').toBe(700);
  mostPx = 2000;
  places.grow();
  expect(topPx).toBe(1500);
  topPx = 900;
  places.grow();
  expect(topPx, 'then it is theirs again').toBe(900);
});

it('each entry has its own, and one that was never left begins at its top', () => {
  leaveAt(1500);
  topPx = 120;
  places.note('page');
  mostPx = 2000;
  places.comeBack('list');
  expect(topPx).toBe(1500);
  places.comeBack('page');
  expect(topPx).toBe(120);
  topPx = 0;
  places.comeBack('another');
  expect(topPx).toBe(0);
});

it('who does something meanwhile, or has waited long, is left where they are', () => {
  leaveAt(1500);
  mostPx = 0;
  places.comeBack('list');
  places.stop();
  mostPx = 2000;
  places.grow();
  expect(topPx).toBe(0);
  mostPx = 0;
  places.comeBack('list');
  nowMs = PATIENCE_MS + 1;
  mostPx = 2000;
  places.grow();
  expect(topPx).toBe(0);
});
