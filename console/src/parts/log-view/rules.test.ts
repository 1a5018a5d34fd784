import { describe, expect, it } from 'vitest';
import { parseAnsi } from '../../lib/ansi.ts';
import { LogBuffer } from './buffer.ts';
import { extendRange, readLineHash, writeLineHash } from './marks.ts';
import { piecesOf } from './pieces.ts';
import { LogRows } from './rows.ts';
import { linesAskedFor, LogSearch, nextMatch } from './search.ts';
import { ROW_PX, shownOf } from './shown.ts';

const now = (work: () => void) => work();
const held = (texts: readonly string[]) => {
  const log = new LogBuffer({ schedule: now });
  log.append(texts.map((text) => ({ text })));
  return log;
};

const inksOf = (log: LogBuffer) => log.lines.map((_, index) => log.styleBefore(index)?.ink ?? null);

describe('the lines of a log', () => {
  it('are told of once, however many came', () => {
    const scheduled: (() => void)[] = [];
    const log = new LogBuffer({ schedule: (work) => scheduled.push(work) });
    let told = 0;
    log.subscribe(() => told++);
    for (let count = 0; count < 1000; count++) log.append([{ text: 'x' }]);
    expect([scheduled.length, told, log.version()]).toEqual([1, 0, 0]);
    scheduled[0]!();
    expect([told, log.version(), log.lines.length]).toEqual([1, 1, 1000]);
    log.append([{ text: 'y' }]);
    expect(scheduled).toHaveLength(2);
  });

  it('keep their numbers when older ones come, and when the oldest go', () => {
    const log = new LogBuffer({ maxLines: 10, schedule: now });
    log.append(Array.from({ length: 8 }, (_, index) => ({ text: `${index + 1}` })));
    log.prepend([{ text: '-2' }, { text: '-1' }, { text: '0' }]);
    expect([log.firstNumber, log.lines.length, log.nextNumber]).toEqual([-1, 10, 9]);
    log.append(Array.from({ length: 5 }, (_, index) => ({ text: `${index + 9}` })));
    expect([log.firstNumber, log.lines[0]!.text, log.nextNumber]).toEqual([4, '4', 14]);
  });

  it('begin in the colour that those before have left on, also when these come later', () => {
    const log = held(['a', '\u001B[31mb', 'c', '\u001B[0md', 'e']);
    expect(inksOf(log)).toEqual([null, null, 1, 1, null]);
    log.prepend([{ text: 'f' }, { text: '\u001B[32mg' }]);
    expect(inksOf(log)).toEqual([null, null, 2, 2, 1, 1, null]);
    log.append([{ text: '\u001B[33mh' }, { text: 'i' }]);
    expect(inksOf(log).slice(-2)).toEqual([null, 3]);
  });

  it('end it where the platform speaks', () => {
    expect(inksOf(held(['\u001B[31ma', 'b', '==> Building', 'c']))).toEqual([null, 1, null, null]);
  });

  it('keep it when those that have left it on go', () => {
    const log = new LogBuffer({ maxLines: 10, schedule: now });
    log.append([{ text: '\u001B[31ma' }, ...Array.from({ length: 14 }, () => ({ text: 'b' }))]);
    expect(inksOf(log)).toEqual(Array(10).fill(1));
    log.clear();
    log.append([{ text: 'c' }, { text: 'd' }]);
    expect(inksOf(log)).toEqual([null, null]);
  });

  it('each have their own colours where others between them are left out', () => {
    const log = new LogBuffer({ schedule: now, hasGaps: true });
    log.append([{ text: '\u001B[31ma' }, { text: 'b' }]);
    log.prepend([{ text: '\u001B[32mc' }]);
    expect(inksOf(log)).toEqual([null, null, null]);
  });

  it('are measured as they are read', () => {
    const log = held(['\u001B[31mred\u001B[0m', 'ab', 'long', '漢字漢']);
    expect(log.longestWith(0, 2)).toBe(3);
    expect(log.longestWith(3, 4)).toBe(6);
    expect(log.longestWith(0, 1), 'of all that were drawn').toBe(6);
  });
});

describe('the rows that lines take', () => {
  it('one each where they are not wrapped', () => {
    const rows = new LogRows(null).update(held(['a', 'b'.repeat(500), 'c']));
    expect([rows.total, rows.before(2), rows.lineAt(1), rows.lineAt(99), rows.lineAt(-3)]).toEqual([3, 2, 1, 2, 0]);
  });

  it('as many as their letters need where they are', () => {
    const log = held(['', 'b'.repeat(25), 'c'.repeat(10), 'd']);
    const rows = new LogRows(10).update(log);
    expect([0, 1, 2, 3, 4].map((index) => rows.before(index))).toEqual([0, 1, 4, 5, 6]);
    expect([0, 1, 3, 4, 5, 9].map((row) => rows.lineAt(row))).toEqual([0, 1, 1, 2, 3, 3]);
    log.append([{ text: 'e'.repeat(11) }]);
    expect(rows.update(log).total).toBe(8);
    log.prepend([{ text: 'f'.repeat(20) }]);
    expect([rows.update(log).total, rows.before(1)]).toEqual([10, 2]);
  });

  it('nothing has none', () => {
    expect([new LogRows(10).update(held([])).total, new LogRows(10).update(held([])).lineAt(5)]).toEqual([0, 0]);
  });
});

const many = (count: number) => held(Array.from({ length: count }, (_, index) => `${index + 1}`.repeat(9)));

describe('the lines that are drawn', () => {
  it.each([
    ['unwrapped', null],
    ['wrapped', 10],
  ])('are those at the end while it is followed, %s, however many came since it was scrolled', (_how, columns) => {
    const log = many(50);
    const rows = new LogRows(columns).update(log);
    log.append(many(5000).lines);
    const shown = shownOf(rows.update(log), { topPx: 400, heightPx: 600, isFollowing: true });
    expect(shown.last).toBe(5050);
    expect(shown.topPx, 'from above the part in sight').toBeLessThan(rows.total * ROW_PX - 600);
    expect(shown.last - shown.first).toBeLessThan(100);
  });

  it('are those in sight otherwise, and none where there are none', () => {
    const rows = new LogRows(null).update(many(5000));
    const sight = { topPx: 2000, heightPx: 600, isFollowing: false };
    const drawnToTheEnd = { firstRow: 0, endRow: Number.POSITIVE_INFINITY };
    expect(shownOf(rows, sight)).toEqual({ first: 80, last: 151, topPx: 1600, ...drawnToTheEnd });
    const nothing = { first: 0, last: 0, topPx: 0, firstRow: 0, endRow: 0 };
    expect(shownOf(new LogRows(null).update(held([])), sight)).toEqual(nothing);
  });

  it('are not all rows of one that takes more than are in sight', () => {
    const rows = new LogRows(10).update(held(['a', 'b'.repeat(50_000), 'c']));
    const shown = shownOf(rows, { topPx: 2000 * ROW_PX, heightPx: 600, isFollowing: false });
    expect(shown).toEqual({ first: 1, last: 2, topPx: ROW_PX, firstRow: 1979, endRow: 2050 });
  });
});

describe('looking for a text', () => {
  it('finds lines in either case, by their numbers, and those that come later', () => {
    const log = held(['Error: a', 'fine', '\u001B[31mer\u001B[1mror\u001B[0m b']);
    const search = new LogSearch('ERROR');
    expect(search.update(log)).toEqual([1, 3]);
    log.append([{ text: 'an error' }]);
    expect(search.update(log)).toEqual([1, 3, 4]);
    log.prepend([{ text: 'error' }]);
    expect(search.update(log)).toEqual([0, 1, 3, 4]);
  });

  it('takes every letter as itself', () => {
    expect(new LogSearch('a.b(*)').update(held(['a.b(*)', 'axb()']))).toEqual([1]);
    expect(new LogSearch('').update(held(['a']))).toEqual([]);
  });

  it('goes to the next and the one before, around the ends', () => {
    expect([0, 3, 9].map((number) => nextMatch([3, 7, 9], number, 1))).toEqual([3, 7, 3]);
    expect([7, 3].map((number) => nextMatch([3, 7, 9], number, -1))).toEqual([3, 9]);
    expect(nextMatch([], 1, 1)).toBeNull();
  });

  it('marks it across colours', () => {
    const spans = parseAnsi('an \u001B[31mer\u001B[1mror\u001B[0m, errors');
    const pieces = piecesOf(spans, 'error');
    expect(pieces.map(({ text, isFound }) => [text, isFound])).toEqual([
      ['an ', false],
      ['er', true],
      ['ror', true],
      [', ', false],
      ['error', true],
      ['s', false],
    ]);
  });

  it('marks it in a part of a line as in the whole', () => {
    const spans = parseAnsi(`${'ab'.repeat(500)}\u001B[31m${'ab'.repeat(500)}`);
    const pieces = piecesOf(spans, 'ba', { start: 998, end: 1004, breaks: [1002] });
    expect(pieces.map(({ text, style, isFound }) => [text, style?.ink, isFound])).toEqual([
      ['a', undefined, true],
      ['b', undefined, true],
      ['a', 1, true],
      ['b', 1, true],
      ['a', 1, true],
      ['b', 1, true],
    ]);
  });

  it('a colon asks for lines', () => {
    expect([':12', ' :3-9 ', '12', ':x'].map(linesAskedFor)).toEqual(['#L12', '#L3-L9', null, null]);
  });
});

describe('the lines that an address points at', () => {
  it.each([
    ['#L120', { from: 120, to: 120 }],
    ['#L3-L8', { from: 3, to: 8 }],
    ['#L8-3', { from: 3, to: 8 }],
    ['#l3', null],
    ['#L', null],
    ['', null],
  ])('%s', (hash, range) => {
    expect(readLineHash(hash)).toEqual(range);
  });

  it.each(['#L7', '#L3-L8'])('%s is written as it was read', (hash) => {
    expect(writeLineHash(readLineHash(hash)!)).toBe(hash);
  });

  it('reach to a line that is clicked with shift, either way', () => {
    expect(extendRange(null, 5)).toEqual({ from: 5, to: 5 });
    expect(extendRange({ from: 5, to: 6 }, 9)).toEqual({ from: 5, to: 9 });
    expect(extendRange({ from: 5, to: 6 }, 2)).toEqual({ from: 2, to: 6 });
  });
});
