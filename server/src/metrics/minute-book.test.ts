import { describe, expect, it } from 'vitest';
import { latencyBucket, newHistogram } from './latency-histogram.ts';
import { MinuteBook } from './minute-book.ts';
import type { UsageFigures } from './minute-row.ts';
import { UsageMeter } from './usage-meter.ts';

const visits = (requests: number) => ({ requests, bytesIn: requests, bytesOut: 10 * requests, latencies: null });
const usage: UsageFigures = { looks: 1, instances: 2, memoryBytes: 100, cpuSeconds: 0.5, cpuAllowedSeconds: 1 };

describe('the book of a process', () => {
  it('adds up what belongs to a minute, and gives it whole whenever it has changed', () => {
    const book = new MinuteBook();
    book.addTraffic(7, 'env_1', visits(1));
    const [first] = book.takeChanged();
    expect(first).toMatchObject({ environmentId: 'env_1', minute: 7, traffic: { requests: 1, bytesOut: 10 } });
    expect(book.takeChanged()).toEqual([]);
    book.addTraffic(7, 'env_1', visits(2));
    book.addUsage(7, 'env_1', usage);
    expect(book.takeChanged()).toMatchObject([
      { traffic: { requests: 3, bytesOut: 30 }, usage, source: first!.source },
    ]);
    book.addTraffic(8, 'env_1', visits(1));
    expect(book.takeChanged()).toMatchObject([{ minute: 8, traffic: { requests: 1 } }]);
  });

  it('takes histograms as they are now: their giver goes on counting in them', () => {
    const book = new MinuteBook();
    const latencies = newHistogram();
    latencies[latencyBucket(5)] = 2;
    book.addTraffic(7, 'env_1', { ...visits(2), latencies });
    latencies.fill(0);
    book.addTraffic(7, 'env_1', { ...visits(0), latencies });
    expect(book.takeChanged()[0]!.traffic!.latencies![latencyBucket(5)]).toBe(2);
  });

  it('keeps what could not be written, for a while and not without end', () => {
    const book = new MinuteBook({ minutes: 3, rows: 4 });
    for (let minute = 1; minute <= 3; minute++) book.addTraffic(minute, 'env_1', visits(1));
    expect(book.giveBack(book.takeChanged())).toBe(0);
    book.addTraffic(4, 'env_1', visits(1));
    expect(book.giveBack(book.takeChanged())).toBe(1);
    for (let number = 1; number <= 3; number++) book.addTraffic(4, `env_${number}`, visits(1));
    expect(book.giveBack(book.takeChanged())).toBe(1);
    expect(book.takeChanged().map(({ minute }) => minute)).toEqual([3, 4, 4, 4]);
  });

  it('has what came meanwhile in what is given back', () => {
    const book = new MinuteBook();
    book.addTraffic(7, 'env_1', visits(1));
    const rows = book.takeChanged();
    book.addTraffic(7, 'env_1', visits(1));
    book.giveBack(rows);
    expect(book.takeChanged()).toMatchObject([{ traffic: { requests: 2 } }]);
  });

  it('never writes over a minute that comes a second time', () => {
    const book = new MinuteBook();
    book.addTraffic(7, 'env_1', visits(1));
    book.addTraffic(6, 'env_1', visits(1));
    const [seventh, sixth] = book.takeChanged();
    expect(sixth!.source).not.toBe(seventh!.source);
    expect(new MinuteBook()).not.toMatchObject({ source: seventh!.source });
    const machines = [sixth!, seventh!].map(({ source }) => BigInt(source) >> 32n);
    expect(machines[0]).toBe(machines[1]);
  });
});

describe('the meter of a worker', () => {
  const one = { id: 'ins_1', environmentId: 'env_1', cpus: 0.5, memoryBytes: 100 };
  const other = { ...one, id: 'ins_2', memoryBytes: 50 };

  it('tells processor time against what instances may use, and the most memory of all together', () => {
    const book = new MinuteBook();
    const meter = new UsageMeter(book);
    meter.look([{ ...one, cpuSeconds: 100 }], 60_000);
    meter.look(
      [
        { ...one, cpuSeconds: 101 },
        { ...other, cpuSeconds: 7 },
      ],
      64_000,
    );
    meter.look(
      [
        { ...one, cpuSeconds: 101.5 },
        { ...other, cpuSeconds: 7 },
      ],
      66_000,
    );
    expect(book.takeChanged()).toMatchObject([
      { environmentId: 'env_1', minute: 1, usage: { looks: 3, instances: 5, memoryBytes: 150 } },
      { environmentId: '', minute: 1, usage: { looks: 3, instances: 5 } },
    ]);
    meter.look([{ ...one, cpuSeconds: 101.5 }], 120_000);
    expect(book.takeChanged()[0]).toMatchObject({ minute: 2, usage: { looks: 1, cpuSeconds: 0 } });
  });

  it('counts what was used between two looks, and nothing of an instance that began anew', () => {
    const book = new MinuteBook();
    const meter = new UsageMeter(book);
    meter.look([{ ...one, cpuSeconds: 100 }], 0);
    meter.look([{ ...one, cpuSeconds: 101 }], 4000);
    meter.look([{ ...one, cpuSeconds: 0 }], 5000);
    meter.look([], 6000);
    meter.look([{ ...one, cpuSeconds: 50 }], 7000);
    expect(book.takeChanged()[0]!.usage).toMatchObject({ cpuSeconds: 1, cpuAllowedSeconds: 2.5 });
  });
});
