import { expect, it } from 'vitest';
import { LogBuffer } from './buffer.ts';
import { indexOfPlace } from './kept-place.ts';

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

it('the first is at the top where the line is gone', () => {
  const log = logOf(1);
  const place = { line: log.lines[0], number: log.firstNumber, offsetPx: 0 };
  log.append(Array.from({ length: 12 }, (_, index) => at(index + 2)));
  expect(indexOfPlace(place, log)).toBe(0);
});
