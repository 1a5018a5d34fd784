import { once } from 'node:events';
import { appendFileSync, mkdtempSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { start } from '../../lib/exec.ts';
import { findProgram } from '../../lib/find-program.ts';
import * as freeSpace from './free-space.ts';
import { OutputStream, outputBounds, type OutputBounds } from './output-stream.ts';

vi.mock('./free-space.ts', { spy: true });

const KIBIBYTE = 1024;
const small: OutputBounds = {
  ...outputBounds,
  unreadBytes: 1024 * KIBIBYTE,
  freedAtOnce: 128 * KIBIBYTE,
  tailBytes: 8 * KIBIBYTE,
};
let path: string;
beforeEach(() => {
  const folder = mkdtempSync(join(tmpdir(), 'lilac-output-'));
  path = join(folder, 'stdout');
  vi.mocked(freeSpace.punchHole).mockClear();
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
});

const open = (options: { isOfThisBoot?: boolean } = {}) =>
  new OutputStream(path, { isOfThisBoot: true, ...options }, small);
const say = (text: string) => appendFileSync(path, text);
const usedBytes = () => statSync(path).blocks * 512;
/** Numbers as lines of 8 bytes. */
const numbers = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => `${String(from + index).padStart(7, '0')}\n`).join('');

/** Everything from the position on, with what was lost on the way. */
function readAll(stream: OutputStream, from: number): { text: string; position: number; lostBytes: number } {
  const read = { text: '', position: from, lostBytes: 0 };
  for (;;) {
    const part = stream.read(read.position, 100 * KIBIBYTE);
    read.lostBytes += part.lostBytes;
    read.position = part.position;
    if (part.bytes.length === 0) return read;
    read.text += part.bytes.toString();
  }
}

describe('a stream of output', () => {
  it('gives what was written, a part at a time, and nothing twice', () => {
    const stream = open();
    expect(stream.read(0, 10)).toMatchObject({ bytes: Buffer.alloc(0), position: 0, lostBytes: 0 });
    say('one\ntwo\n');
    expect(stream.read(0, 6)).toMatchObject({ bytes: Buffer.from('one\ntw'), position: 6, lostBytes: 0 });
    expect(stream.read(6, 100)).toMatchObject({ bytes: Buffer.from('o\n'), position: 8 });
    expect(stream.read(8, 100)).toMatchObject({ bytes: Buffer.alloc(0), position: 8 });
    say('three\n');
    expect(stream.read(8, 100).bytes.toString()).toBe('three\n');
    expect(stream.read(4, 3).bytes.toString()).toBe('two');
  });

  it('gives the disk back what was released; positions, the rest and the last part stay', async () => {
    const stream = open();
    say(numbers(1, 100_000));
    const half = 50_000 * 8;
    stream.release(half);
    await stream.trim();
    expect(usedBytes()).toBeLessThan(100_000 * 8 - half + 128 * KIBIBYTE);
    expect(readAll(stream, half).text).toBe(numbers(50_001, 100_000));
    stream.release(100_000 * 8);
    await stream.trim();
    expect(usedBytes()).toBeLessThan(256 * KIBIBYTE);
    expect(stream.readEnd().toString().endsWith(numbers(99_900, 100_000))).toBe(true);
    say('more\n');
    expect(readAll(stream, 100_000 * 8)).toEqual({ text: 'more\n', position: 100_000 * 8 + 5, lostBytes: 0 });
  });

  it('lets go of the oldest where nobody reads, and tells it, also to the next process', async () => {
    const stream = open();
    say(numbers(1, 200_000));
    await stream.trim();
    expect(usedBytes()).toBeLessThan(small.unreadBytes);
    for (const reader of [stream, open()]) {
      const { text, lostBytes } = readAll(reader, 0);
      expect(lostBytes + text.length).toBe(200_000 * 8);
      expect(text.length).toBeGreaterThanOrEqual(small.unreadBytes / 2);
      expect(numbers(1, 200_000).endsWith(text)).toBe(true);
    }
  });

  it('goes on when the program begins its output anew, as shells do', () => {
    const stream = open();
    say('one\ntwo\n');
    expect(stream.read(0, 4).position).toBe(4);
    writeFileSync(path, 'new\n');
    expect(readAll(stream, 4)).toEqual({ text: 'new\n', position: 12, lostBytes: 4 });
    // The next process knows it too, and one that was killed before it could note it finds it out.
    expect(readAll(open(), 12).text).toBe('');
    say('more\n');
    expect(readAll(open(), 12).text).toBe('more\n');
    writeFileSync(path, 'x\n');
    expect(readAll(open(), 17)).toEqual({ text: 'x\n', position: 19, lostBytes: 0 });
  });

  it('sees that it was begun anew even when it is longer than before already', () => {
    const stream = open();
    say('one\ntwo\n');
    const { position } = readAll(stream, 0);
    writeFileSync(path, 'quite another text\n');
    expect(readAll(stream, position).text).toBe('quite another text\n');
  });

  it('takes a file that is shorter since the machine stopped for what it is', () => {
    say('one\n');
    expect(open({ isOfThisBoot: false }).read(100, 10)).toMatchObject({ position: 100, lostBytes: 0 });
    expect(open({ isOfThisBoot: false }).read(2, 10).bytes.toString()).toBe('e\n');
  });

  it('has no end: a file that seems very long is begun anew once all is read and nobody writes', async () => {
    const stream = new OutputStream(path, { isOfThisBoot: true }, { ...small, longBytes: 1000 });
    say(numbers(1, 1000));
    const end = 8000;
    await stream.trim();
    expect(statSync(path).size).toBe(end);
    stream.release(end);
    const later = Date.now() + 60_000;
    vi.spyOn(Date, 'now').mockReturnValue(later);
    onTestFinished(() => vi.mocked(Date.now).mockRestore());
    await stream.trim();
    expect(statSync(path).size).toBe(0);
    say('more\n');
    expect(readAll(stream, end)).toEqual({ text: 'more\n', position: end + 5, lostBytes: 0 });
    expect(readAll(open(), end).text).toBe('more\n');
  });

  it('holds a hole that the program made itself, however long it seems', async () => {
    const stream = open();
    say('one\n');
    truncateSync(path, 100 * 1024 ** 3);
    say('two\n');
    await stream.trim();
    const { position, lostBytes } = readAll(stream, 0);
    expect(position).toBe(100 * 1024 ** 3 + 4);
    expect(lostBytes).toBeGreaterThan(99 * 1024 ** 3);
  });
});

describe('a hole that cannot be punched now', () => {
  it('is punched the next time, though nothing more was written', async () => {
    const stream = open();
    say(numbers(1, 200_000));
    vi.mocked(freeSpace.punchHole).mockRejectedValueOnce(new Error('busy'));
    await expect(stream.trim()).rejects.toThrow('busy');
    await stream.trim();
    expect(usedBytes()).toBeLessThan(small.unreadBytes);
    const { text, lostBytes } = readAll(stream, 0);
    expect(lostBytes + text.length).toBe(200_000 * 8);
  });

  it('is given up when it fails again and again: the file is emptied then', async () => {
    vi.mocked(freeSpace.punchHole).mockRejectedValue(new Error('busy'));
    onTestFinished(() => void vi.mocked(freeSpace.punchHole).mockReset());
    const stream = open();
    say(numbers(1, 200_000));
    for (let round = 0; round < 3; round++) await expect(stream.trim()).rejects.toThrow('busy');
    await stream.trim();
    expect(usedBytes()).toBe(0);
  });
});

describe('where no holes can be punched', () => {
  beforeEach(() => {
    vi.mocked(freeSpace.punchHole).mockResolvedValue(false);
    onTestFinished(() => void vi.mocked(freeSpace.punchHole).mockReset());
  });

  it('the file is emptied once all of it was read, and not before', async () => {
    const stream = open();
    say(numbers(1, 100_000));
    stream.release(99_999 * 8);
    for (let round = 0; round < 3; round++) await stream.trim();
    expect(freeSpace.punchHole).toHaveBeenCalledTimes(1);
    expect(readAll(stream, 99_999 * 8).text).toBe(numbers(100_000, 100_000));
    stream.release(100_000 * 8);
    await stream.trim();
    expect(statSync(path).size).toBe(0);
    say('more\n');
    expect(readAll(stream, 100_000 * 8)).toEqual({ text: 'more\n', position: 100_000 * 8 + 5, lostBytes: 0 });
    expect(readAll(open(), 100_000 * 8).text).toBe('more\n');
  });

  it('what nobody reads is lost when it is too much, and that is told', async () => {
    const stream = open();
    say(numbers(1, 200_000));
    for (let round = 0; round < 2; round++) await stream.trim();
    expect(usedBytes()).toBe(0);
    say('more\n');
    expect(readAll(stream, 0)).toEqual({ text: 'more\n', position: 200_000 * 8 + 5, lostBytes: 200_000 * 8 });
  });
});

describe.runIf(findProgram(['perl'], '/usr/bin'))('whoever holds a lease on the file', () => {
  it('is not waited for: nothing is there, and later everything', async () => {
    const stream = new OutputStream(path, { isOfThisBoot: true }, { ...small, longBytes: -1 });
    say('one\n');
    expect(stream.read(0, 2).position).toBe(2);
    const lease = '$SIG{IO} = "IGNORE"; open F, "+<", shift; fcntl(F, 1024, 1) or die; syswrite STDOUT, "held"; sleep';
    const holder = start(['perl', '-e', lease, path], { env: { PATH: '/usr/bin' } });
    await once(holder.stdout!, 'data');
    expect(stream.read(2, 10)).toMatchObject({ bytes: Buffer.alloc(0), position: 2, lostBytes: 0 });
    expect(stream.readEnd()).toEqual(Buffer.alloc(0));
    freeSpace.cutReserved(path);
    expect(freeSpace.emptyFile(path, { keptBytes: 10, most: 10 })).toBeNull();
    holder.kill('SIGKILL');
    await once(holder, 'exit');
    expect(stream.read(2, 10).bytes.toString()).toBe('e\n');
  });
});
