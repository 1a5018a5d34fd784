import { expect, it } from 'vitest';
import { LogBuffer } from './buffer.ts';
import { indexOfPlace, placeAt, topOfPlace } from './kept-place.ts';
import { LogRows } from './rows.ts';
import { ROW_PX } from './shown.ts';

const at = (second: number) => ({ at: new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString(), text: `${second}` });

function logOf(...seconds: number[]) {
  const log = new LogBuffer({ maxLines: 10, schedule: () => {} });
  log.append(seconds.map(at));
  return log;
}

it('the line at the top stays there when a late one is put in before it, older ones come, or the oldest go', () => {
  const log = logOf(1, 3, 5);
  const place = { line: log.lines[1], number: log.firstNumber + 1, offsetPx: 0 };
  const shown = () => log.lines[indexOfPlace(place, log)]?.text;
  log.insert([at(2)], () => Infinity);
  expect([log.lines.map(({ text }) => text), shown()]).toEqual([['1', '2', '3', '5'], '3']);
  log.prepend([at(0)]);
  expect(shown()).toBe('3');
  log.append([6, 7, 8, 9, 10, 11, 12].map(at));
  expect([log.lines[0]!.text, shown()]).toEqual(['2', '3']);
});

it.each([
  ['late ones were put in', (log: LogBuffer) => log.insert([at(0), at(4)], () => Infinity)],
  ['older ones came', (log: LogBuffer) => log.prepend([at(-2), at(-1)])],
  ['both came', (log: LogBuffer) => (log.insert([at(2)], () => Infinity), log.prepend([at(-1), at(4)]))],
  ['the oldest went', (log: LogBuffer) => log.append([6, 7, 8, 9, 10, 11, 12, 13, 14].map(at))],
])('a place is that of what was drawn, also where %s before the next picture', (_how, change) => {
  const log = logOf(1, 3, 5);
  const rows = new LogRows(null).update(log);
  const drawn = { lines: log.lines, firstNumber: log.firstNumber };
  change(log);
  const place = placeAt(2 * ROW_PX + 7, drawn, rows);
  rows.update(log);
  const topPx = topOfPlace(place, log, rows);
  expect([topPx % ROW_PX, log.lines[Math.floor(topPx / ROW_PX)]?.text]).toEqual([7, '5']);
});

it('older ones that belong among those that are there come among them', () => {
  const log = logOf(1, 3, 5);
  log.prepend([at(-1), at(0), at(2), at(4)]);
  expect(log.lines.map(({ text }) => Number(text))).toEqual([-1, 0, 1, 2, 3, 4, 5]);
});

it('the first is at the top where the line is gone', () => {
  const log = logOf(1);
  const place = { line: log.lines[0], number: log.firstNumber, offsetPx: 0 };
  log.append(Array.from({ length: 12 }, (_, index) => at(index + 2)));
  expect(indexOfPlace(place, log)).toBe(0);
});
