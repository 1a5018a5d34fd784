import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readConfig } from '../../../config.ts';
import { NotLeading, soleLeadership } from '../../../jobs/leadership.ts';
import { systemClock } from '../../../lib/clock.ts';
import { silentLog } from '../../../lib/log.ts';
import { eventually } from '../../../testing/eventually.ts';
import { createCollector } from './collector.ts';
import { createCollectBench, type CollectBench } from './testing/collect-bench.ts';
import { LONGEST_PART_BYTES } from './stream-reader.ts';

let bench: CollectBench;
beforeEach(async () => {
  bench = await createCollectBench({ environments: 2 });
  bench.host.begin('ins_1', bench.environmentId);
});
afterEach(() => bench[Symbol.asyncDispose]());

const messagesOf = async (count: number, environmentId?: string) =>
  (await bench.lines(count, environmentId)).map(({ message }) => message);
const isForgotten = async (id: string) =>
  (await bench.host.runtime.outputs()).every(({ instanceId }) => instanceId !== id);
const positions = () => bench.db.selectFrom('log_positions').selectAll().execute();

describe('what an instance writes', () => {
  it('becomes the lines of its environment, with time, severity, instance and deployment', async () => {
    const before = Date.now();
    bench.host.write('ins_1', 'stdout', 'listening\n{"level":"debug","msg":"x"}\n');
    await bench.lines(2);
    bench.host.write('ins_1', 'stderr', 'TypeError: no\n    at f (x.js:1:2)\nINFO fine\n');
    const entries = await bench.lines(5);
    expect(entries.map(({ line, severity, message }) => [line, severity, message])).toEqual([
      [1, 'INFO', 'listening'],
      [2, 'DEBUG', '{"level":"debug","msg":"x"}'],
      [3, expect.stringMatching(/WARN|ERROR/), 'TypeError: no'],
      [4, entries[2]?.severity, '    at f (x.js:1:2)'],
      [5, 'INFO', 'INFO fine'],
    ]);
    for (const { instanceId, deploymentId, atMs } of entries) {
      expect([instanceId, deploymentId]).toEqual(['ins_1', 'dep_of_ins_1']);
      expect(atMs).toBeGreaterThanOrEqual(before - 1000);
      expect(atMs).toBeLessThanOrEqual(Date.now());
    }
  });

  it('is cut at newlines only, whatever parts it comes in', async () => {
    bench.host.write('ins_1', 'stdout', 'one\r\n\nth');
    expect(await messagesOf(2)).toEqual(['one', '']);
    bench.host.write('ins_1', 'stdout', 'ree ');
    bench.host.write('ins_1', 'stdout', Buffer.from('ü', 'utf8').subarray(0, 1));
    const half = Buffer.from('ü\r\nlast\n', 'utf8').subarray(1);
    await eventually('a part was read', async () => (await bench.readAll()).length === 2);
    bench.host.write('ins_1', 'stdout', half);
    expect(await messagesOf(4)).toEqual(['one', '', 'three ü', 'last']);
  });

  it('is made safe: binary, control characters, and lines that are too long', async () => {
    bench.host.write('ins_1', 'stdout', Buffer.from([0xff, 0xfe, 0x00, 0x41, 0x1b, 0x5b, 0x32, 0x4a, 0x0a]));
    bench.host.write('ins_1', 'stdout', `${'x'.repeat(100_000)}\nafter\n`);
    const [binary, long, after] = await messagesOf(3);
    expect(binary).toContain('A');
    // oxlint-disable-next-line no-control-regex
    expect(binary).not.toMatch(/[\x00-\x1f]/);
    expect(long).toMatch(/^x{1000}/);
    expect(long).toContain('bytes cut');
    expect(long?.length).toBeLessThan(20_000);
    expect(after).toBe('after');
  });

  it('is a line after so much without a newline, and no character is cut in two', async () => {
    const text = 'ü'.repeat(LONGEST_PART_BYTES);
    bench.host.write('ins_1', 'stdout', `x${text}`);
    const first = await messagesOf(2);
    expect(first.map((message) => message.slice(0, 3))).toEqual(['xüü', 'üüü']);
    bench.host.write('ins_1', 'stdout', 'end\n');
    const all = await messagesOf(3);
    expect(all[2]).toMatch(/^ü*end$/);
    expect(all.join('')).not.toContain('\u{fffd}');
  });

  it('has one character for zeroes: the hole where a program has emptied its file while it wrote, or its own', async () => {
    bench.host.write('ins_1', 'stdout', Buffer.concat([Buffer.alloc(5000), Buffer.from('text\na\0\0b\0c\n')]));
    expect(await messagesOf(2)).toEqual(['\u{fffd}text', 'a\u{fffd}b\u{fffd}c']);
  });

  it('keeps the order of each stream, and of the streams as far as it is known', async () => {
    bench.host.write('ins_1', 'stderr', '1\n');
    await bench.collector.stop();
    bench.host.write('ins_1', 'stderr', '2\n');
    await eventually('the clock of the files goes on', () => waitForTick());
    bench.host.write('ins_1', 'stdout', '3\n');
    await bench.restart();
    expect(await messagesOf(3)).toEqual(['1', '2', '3']);
  });

  it('is timed by when it was written, where it is read later', async () => {
    await bench.collector.stop();
    bench.host.write('ins_1', 'stdout', 'early\n');
    const written = Date.now();
    const later = written + 3_600_000;
    await bench.restart({ clock: { now: () => new Date(later) } });
    const [entry] = await bench.lines(1);
    expect(Math.abs((entry?.atMs ?? 0) - written)).toBeLessThan(60_000);
  });
});

describe('an instance that was stopped', () => {
  it('has its last line, though it does not end, and then its output is forgotten', async () => {
    bench.host.write('ins_1', 'stdout', 'one\nlast');
    bench.host.write('ins_1', 'stderr', 'last too');
    bench.host.stop('ins_1');
    expect((await messagesOf(3)).toSorted()).toEqual(['last', 'last too', 'one']);
    await eventually('it is forgotten', () => isForgotten('ins_1'));
    await eventually('so is its position', async () => (await positions()).length === 0);
  });

  it('has its last line before those of who takes its place', async () => {
    await bench.collector.stop();
    bench.host.write('ins_1', 'stdout', 'one\nlast');
    bench.host.stop('ins_1');
    for (const id of ['ins_0', 'ins_2']) {
      bench.host.begin(id, bench.environmentId);
      bench.host.write(id, 'stdout', 'first of another\n');
    }
    await bench.restart();
    expect(await messagesOf(4)).toEqual(['one', 'last', 'first of another', 'first of another']);
  });

  it('is forgotten also when it wrote nothing', async () => {
    bench.host.stop('ins_1');
    await eventually('it is forgotten', () => isForgotten('ins_1'));
    expect(await bench.readAll()).toEqual([]);
  });

  it('of an environment that is gone is forgotten, and so is what it wrote', async () => {
    bench.host.begin('ins_gone', 'env_gone');
    bench.host.write('ins_gone', 'stdout', 'nobody reads this\n');
    bench.host.write('ins_1', 'stdout', 'somebody reads this\n');
    bench.host.stop('ins_gone');
    await eventually('it is forgotten', () => isForgotten('ins_gone'));
    expect(await messagesOf(1)).toEqual(['somebody reads this']);
    expect((await positions()).map(({ instance_id }) => instance_id)).toEqual(['ins_1']);
  });
});

describe('an instance that cannot be read', () => {
  it('keeps no other waiting, whether it says nothing or fails, and its lines come when it can be', async () => {
    bench.host.begin('ins_2', bench.environmentId);
    let isAway = true;
    const mute = new Promise<never>(() => {});
    const { readOutput, releaseOutput } = bench.host.runtime;
    await bench.restart({
      runtime: {
        ...bench.host.runtime,
        readOutput(id, from, maxBytes) {
          if (id === 'ins_mute') return mute;
          if (id === 'ins_2' && isAway) return Promise.reject(new Error('away'));
          return readOutput(id, from, maxBytes);
        },
        releaseOutput: (id, before) => (id === 'ins_1' ? mute : releaseOutput(id, before)),
      },
    });
    bench.host.begin('ins_mute', bench.environmentId);
    bench.host.write('ins_2', 'stdout', 'late\n');
    for (const text of ['one', 'two', 'three']) {
      bench.host.write('ins_1', 'stdout', `${text}\n`);
      await eventually(`${text} is there`, async () => (await bench.readAll()).at(-1)?.message === text);
    }
    isAway = false;
    expect(await messagesOf(4)).toEqual(['one', 'two', 'three', 'late']);
  });
});

describe('the next process', () => {
  it('goes on where the one before was, with the line that was half written', async () => {
    bench.host.write('ins_1', 'stdout', 'one\nha');
    await bench.lines(1);
    await bench.restart();
    bench.host.write('ins_1', 'stdout', 'lf\n');
    expect(await messagesOf(2)).toEqual(['one', 'half']);
  });

  it('stop stores what is there', async () => {
    bench.host.write('ins_1', 'stdout', 'one\ntwo\n');
    await bench.collector.stop();
    expect((await bench.readAll()).map(({ message }) => message)).toEqual(['one', 'two']);
  });

  it('that collects beside another stores nothing twice', async () => {
    const { store, host } = bench;
    const config = readConfig({});
    const other = createCollector({ store, config, runtime: host.runtime, clock: systemClock, log: silentLog });
    other.start();
    const written: string[] = [];
    for (let round = 0; round < 20; round++) {
      written.push(`line ${round}`);
      host.write('ins_1', 'stdout', `line ${round}\n`);
      await bench.lines(round + 1);
    }
    await other.stop();
    expect(await messagesOf(20)).toEqual(written);
  });
});

describe('one that leads no more', () => {
  it('stores nothing of what it has read: whoever leads stores it', async () => {
    let tries = 0;
    const hold = async () => {
      tries++;
      throw new NotLeading('Another worker leads.');
    };
    await bench.restart({ leadership: { hold } });
    bench.host.write('ins_1', 'stdout', 'one\n');
    await eventually('it has tried', () => tries > 1);
    expect(await bench.readAll()).toEqual([]);
    await bench.restart({ leadership: soleLeadership });
    expect(await messagesOf(1)).toEqual(['one']);
  });
});

/** Files are timed by a clock that goes in steps of some milliseconds. */
function waitForTick(): boolean {
  const begun = Date.now();
  while (Date.now() - begun < 20);
  return true;
}
