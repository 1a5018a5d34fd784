import { describe, expect, it } from 'vitest';
import { LogBuffer } from '../../../parts/log-view/buffer.ts';
import { LogFeed } from './log-feed.ts';

const OPENED_MS = Date.UTC(2026, 0, 1);

function feedOf(maxWaiting = 100) {
  const works: (() => void)[] = [];
  const log = new LogBuffer({ schedule: () => {} });
  const schedule = (work: () => void) => void works.push(work);
  const feed = new LogFeed(log, { maxWaiting, schedule, openedMs: OPENED_MS });
  const gather = () => works.splice(0).forEach((work) => work());
  return { feed, gather, shown: () => log.lines.map(({ text }) => text) };
}

/** So many seconds after somebody began to look. */
const at = (second: number, text: string) => ({ at: new Date(OPENED_MS + second * 1000).toISOString(), text });

describe('a feed', () => {
  it('holds what comes while it is paused, counts it, and shows it in order afterwards', () => {
    const { feed, gather, shown } = feedOf();
    feed.add({ text: 'a' });
    feed.pause();
    feed.add({ text: 'b' });
    feed.pause();
    feed.add({ text: 'c' });
    gather();
    expect([shown(), feed.waiting]).toEqual([['a'], 2]);
    feed.goOn();
    feed.add({ text: 'd' });
    gather();
    expect([shown(), feed.waiting]).toEqual([['a', 'b', 'c', 'd'], 0]);
  });

  it('leaves out what was looked up before, as often as it was', () => {
    const { feed, gather, shown } = feedOf();
    feed.leaveOut([{ text: 'a' }, { text: 'b' }]);
    for (const text of ['a', 'b', 'b', 'c']) feed.add({ text });
    gather();
    expect(shown()).toEqual(['b', 'c']);
  });

  it('leaves out what was looked up at several times, and tells what waits', () => {
    const { feed, gather, shown } = feedOf();
    feed.leaveOut([{ text: 'a' }]);
    feed.leaveOut([{ text: 'a' }, { text: 'b' }]);
    for (const text of ['a', 'b', 'a', 'a']) feed.add({ text });
    gather();
    expect([shown(), feed.waitingLines]).toEqual([['a'], []]);
    feed.pause();
    feed.add({ text: 'c' });
    expect([shown(), feed.waitingLines]).toEqual([['a'], [{ text: 'c' }]]);
  });

  it('keeps the newest of what is too much', () => {
    const { feed, shown } = feedOf(10);
    feed.pause();
    for (let number = 1; number <= 1000; number++) feed.add({ text: String(number) });
    expect(feed.waiting).toBe(1000);
    feed.goOn();
    expect(shown().length).toBeLessThanOrEqual(11);
    expect(shown().at(-1)).toBe('1000');
  });
});

describe('lines that come in another order than they were written', () => {
  it('of what was there before are shown in that of time, in however many pieces they come', () => {
    const { feed, gather, shown } = feedOf();
    for (const line of [at(-1, 'd'), at(-2, 'c')]) feed.add(line);
    gather();
    for (const line of [at(-60, 'a'), at(-1, 'e'), at(-30, 'b')]) feed.add(line);
    gather();
    expect(shown()).toEqual(['a', 'b', 'c', 'd', 'e']);
  });

  it('are put in their place where they are a little late, and at the end where that would be out of sight', () => {
    const { feed, gather, shown } = feedOf();
    for (const line of [at(1, 'a'), at(60, 'c')]) feed.add(line);
    gather();
    feed.add(at(58, 'b'));
    gather();
    feed.add(at(30, 'late'));
    gather();
    expect(shown()).toEqual(['a', 'b', 'c', 'late']);
  });

  it('are so when they have waited', () => {
    const { feed, shown } = feedOf();
    feed.pause();
    for (const line of [at(2, 'b'), at(1, 'a'), at(2, 'c')]) feed.add(line);
    feed.goOn();
    expect(shown()).toEqual(['a', 'b', 'c']);
  });
});
