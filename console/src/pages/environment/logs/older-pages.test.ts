import { expect, it } from 'vitest';
import { LogBuffer } from '../../../parts/log-view/buffer.ts';
import { OlderPages } from './older-pages.ts';

const at = (second: number) => new Date(Date.UTC(2026, 10, 17, 12, 0, second)).toISOString();
const lineOf = (second: number) => ({ at: at(second), text: `${second}` });

interface Given {
  maxLines: number;
  held?: number[];
  empty?: string[];
  /** These have come, and are not shown yet. */
  gathered?: number[];
}

/** The log has lines of the seconds up to 59; pages of four go back from there. */
function pagesOf({ maxLines, held = [], empty = [], gathered = [] }: Given) {
  const log = new LogBuffer({ maxLines, schedule: (work) => work() });
  log.append(held.map(lineOf));
  const flush = () => log.append(gathered.splice(0).map(lineOf));
  const asked: object[] = [];
  const pages = new OlderPages({
    log,
    feed: { leaveOut: () => {}, flush },
    read: async (from) => {
      asked.push(from);
      const last = from.cursor ? Number(from.cursor) : from.endTime ? new Date(from.endTime).getUTCSeconds() : 59;
      const seconds = [3, 2, 1, 0].map((back) => last - back).filter((second) => second >= 0);
      const lines = empty.includes(from.cursor ?? '') ? [] : seconds.map(lineOf);
      return { lines, cursor: last >= 4 ? `${last - 4}` : null };
    },
  });
  return { log, asked, pages, texts: () => log.lines.map(({ text }) => Number(text)) };
}

it('come before those that are held, none twice, until there are no more', async () => {
  const { pages, texts, asked } = pagesOf({ maxLines: 100, held: [5, 6] });
  expect(await pages.next()).toBe('more');
  expect(texts()).toEqual([3, 4, 5, 6]);
  expect(await pages.next()).toBe('over');
  expect(texts()).toEqual([0, 1, 2, 3, 4, 5, 6]);
  expect(await pages.next()).toBe('over');
  expect(asked).toEqual([{ endTime: at(6) }, { cursor: '2' }]);
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
