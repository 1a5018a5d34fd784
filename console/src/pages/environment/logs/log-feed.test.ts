import { describe, expect, it } from 'vitest';
import type { LogLine } from '../../../parts/log-view/buffer.ts';
import { LogFeed } from './log-feed.ts';

function feedOf(maxWaiting = 100) {
  const shown: string[] = [];
  const append = (lines: readonly LogLine[]) => void shown.push(...lines.map(({ text }) => text));
  return { feed: new LogFeed({ append }, maxWaiting), shown };
}

describe('a feed', () => {
  it('holds what comes while it is paused, counts it, and shows it in order afterwards', () => {
    const { feed, shown } = feedOf();
    feed.add({ text: 'a' });
    feed.pause();
    feed.add({ text: 'b' });
    feed.pause();
    feed.add({ text: 'c' });
    expect([shown, feed.waiting]).toEqual([['a'], 2]);
    feed.goOn();
    feed.add({ text: 'd' });
    expect([shown, feed.waiting]).toEqual([['a', 'b', 'c', 'd'], 0]);
  });

  it('leaves out what was looked up before, as often as it was', () => {
    const { feed, shown } = feedOf();
    feed.leaveOut([{ text: 'a' }, { text: 'b' }]);
    for (const text of ['a', 'b', 'b', 'c']) feed.add({ text });
    expect(shown).toEqual(['b', 'c']);
  });

  it('keeps the newest of what is too much', () => {
    const { feed, shown } = feedOf(10);
    feed.pause();
    for (let number = 1; number <= 1000; number++) feed.add({ text: String(number) });
    expect(feed.waiting).toBe(1000);
    feed.goOn();
    expect(shown.length).toBeLessThanOrEqual(11);
    expect(shown.at(-1)).toBe('1000');
  });
});
