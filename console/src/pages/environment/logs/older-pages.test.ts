import { expect, it } from 'vitest';
import { LogBuffer } from '../../../parts/log-view/buffer.ts';
import { OlderPages } from './older-pages.ts';

const at = (second: number) => new Date(Date.UTC(2026, 10, 17, 12, 0, second)).toISOString();
const lineOf = (second: number) => ({ at: at(second), text: `${second}` });

interface Given {
  maxLines: number;
  held?: number[];
  empty?: string[];
  /** The second of the last line that there is. */
  newest?: number;
  /** These have come, and are not shown yet. */
  gathered?: number[];
  /** These have come while it is paused. */
  waiting?: number[];
}

/** The log has a line of every second; pages of four go back from the newest. */
function pagesOf({ maxLines, held = [], newest = 59, empty = [], gathered = [], waiting = [] }: Given) {
  const log = new LogBuffer({ maxLines, schedule: (work) => work() });
  log.append(held.map(lineOf));
  const flush = () => log.append(gathered.splice(0).map(lineOf));
  const asked: object[] = [];
  const leftOut: number[] = [];
  const pages = new OlderPages({
    log,
    feed: {
      leaveOut: (lines) => leftOut.push(...lines.map(({ text }) => Number(text))),
      flush,
      waitingLines: waiting.map(lineOf),
    },
    read: async (from) => {
      asked.push(from);
      const endSecond = from.endTime ? (Date.parse(from.endTime) - Date.parse(at(0))) / 1000 : newest;
      const last = from.cursor ? Number(from.cursor) : Math.min(endSecond, newest);
      const seconds = [3, 2, 1, 0].map((back) => last - back).filter((second) => second >= 0);
      const lines = empty.includes(from.cursor ?? '') ? [] : seconds.map(lineOf);
      return { lines, cursor: last >= 4 ? `${last - 4}` : null };
    },
  });
  return { log, asked, leftOut, pages, texts: () => log.lines.map(({ text }) => Number(text)) };
}

it('come before those that are held, none twice, until there are no more', async () => {
  const { pages, texts, asked } = pagesOf({ maxLines: 100, held: [5, 6], newest: 6 });
  expect(await pages.next()).toBe('more');
  expect(texts()).toEqual([3, 4, 5, 6]);
  expect(await pages.next()).toBe('over');
  expect(texts()).toEqual([0, 1, 2, 3, 4, 5, 6]);
  expect(await pages.next()).toBe('over');
  expect(asked).toEqual([{ endTime: at(7) }, { cursor: '2' }]);
});

it('come whole and in order where the first that was followed is much older than the others', async () => {
  const { pages, texts, asked } = pagesOf({ maxLines: 100, held: [1, 7, 9], newest: 9 });
  expect(await pages.next()).toBe('more');
  expect(texts()).toEqual([1, 6, 7, 8, 9]);
  expect(await pages.next()).toBe('more');
  expect(await pages.next()).toBe('over');
  expect(texts()).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  expect(asked).toEqual([{ endTime: at(10) }, { cursor: '5' }, { cursor: '1' }]);
});

it('are begun where what was followed first ends, however many came since', async () => {
  const { pages, asked } = pagesOf({
    maxLines: 2000,
    held: Array.from({ length: 600 }, (_, index) => index),
    newest: 599,
  });
  await pages.next();
  expect(asked[0]).toEqual({ endTime: at(500) });
});

it('have none twice of those that wait while it is paused, or that the stream brings later', async () => {
  const { pages, texts, leftOut } = pagesOf({ maxLines: 100, held: [5, 6], waiting: [4, 7], newest: 7 });
  await pages.next();
  expect([texts(), leftOut]).toEqual([
    [0, 1, 2, 3, 5, 6],
    [0, 1, 2, 3],
  ]);
});

it('has none twice of those that came while they were asked for', async () => {
  const { pages, texts } = pagesOf({ maxLines: 100, gathered: [58, 59] });
  await pages.next();
  expect(texts()).toEqual([56, 57, 58, 59]);
});

it('a page without any is not the end', async () => {
  const { pages, texts } = pagesOf({ maxLines: 100, empty: ['55', '51'] });
  await pages.next();
  expect(await pages.next()).toBe('more');
  expect(texts()).toEqual([44, 45, 46, 47, 56, 57, 58, 59]);
});

it('says when not all of them have room, and asks for no more then', async () => {
  const { pages, texts, asked } = pagesOf({ maxLines: 6 });
  expect(await pages.next()).toBe('more');
  expect(await pages.next()).toBe('full');
  expect(texts(), 'the newest of them').toEqual([54, 55, 56, 57, 58, 59]);
  expect(await pages.next()).toBe('full');
  expect(asked).toHaveLength(2);
});

it('asks for none where there is no room at all', async () => {
  const { pages, asked } = pagesOf({ maxLines: 2, held: [8, 9] });
  expect(await pages.next()).toBe('full');
  expect(asked).toEqual([]);
});
