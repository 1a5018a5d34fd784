import { describe, expect, it } from 'vitest';
import { LogBuffer } from './buffer.ts';
import { logOf } from './testing/log-of.ts';

const now = (work: () => void) => work();
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
    const log = logOf(['a', '\u001B[31mb', 'c', '\u001B[0md', 'e']);
    expect(inksOf(log)).toEqual([null, null, 1, 1, null]);
    log.prepend([{ text: 'f' }, { text: '\u001B[32mg' }]);
    expect(inksOf(log)).toEqual([null, null, 2, 2, 1, 1, null]);
    log.append([{ text: '\u001B[33mh' }, { text: 'i' }]);
    expect(inksOf(log).slice(-2)).toEqual([null, 3]);
  });

  it('end it where the platform speaks', () => {
    expect(inksOf(logOf(['\u001B[31ma', 'b', '==> Building', 'c']))).toEqual([null, 1, null, null]);
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
    const log = logOf(['\u001B[31mred\u001B[0m', 'ab', 'long', '漢字漢']);
    expect(log.longestWith(0, 2)).toBe(3);
    expect(log.longestWith(3, 4)).toBe(6);
    expect(log.longestWith(0, 1), 'of all that were drawn').toBe(6);
  });
});
