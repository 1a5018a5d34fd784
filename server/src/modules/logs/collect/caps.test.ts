import { describe, expect, it } from 'vitest';
import type { Runtime } from '../../../runtime/runtime.ts';
import { eventually } from '../../../testing/eventually.ts';
import { createCollectBench } from './testing/collect-bench.ts';

const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => `${from + index}\n`);
const MARK = /^([\d,]+) lines? (?:was|were) dropped here: /;
const droppedBy = (messages: readonly string[]) =>
  messages.reduce((sum, message) => sum + Number(MARK.exec(message)?.[1]?.replaceAll(',', '') ?? 0), 0);

describe('more lines than may be', () => {
  it('are dropped, told where they were, and counted exactly', async () => {
    await using bench = await createCollectBench({ settings: { LILAC_LOG_LINES_PER_SECOND: '10' } });
    const { host, environmentId } = bench;
    host.begin('ins_1', environmentId);
    host.write('ins_1', 'stdout', 'it is followed\n');
    await bench.lines(1);
    host.write('ins_1', 'stdout', numbers(1, 5000).join(''));
    const entries = (await bench.lines(102)).slice(1);
    expect(entries.slice(0, 100).map(({ message }) => message)).toEqual(numbers(1, 100).map((line) => line.trim()));
    expect(entries[100]).toMatchObject({ severity: 'WARN', instanceId: null });
    expect(entries[100]?.message).toMatch(/^4,900 lines were dropped here: more than 10 lines a second\.$/);
    expect(await bench.usage()).toEqual([expect.objectContaining({ dropped_lines: '4900' })]);
  });

  it('are told at most once a second, and every line is stored or counted', async () => {
    await using bench = await createCollectBench({ settings: { LILAC_LOG_LINES_PER_SECOND: '100' } });
    const { host, environmentId } = bench;
    for (const id of ['ins_1', 'ins_2']) host.begin(id, environmentId);
    let written = 0;
    const begun = Date.now();
    await eventually('three have told it', async () => {
      const from = written + 1;
      written += 500;
      host.write(written % 1000 === 0 ? 'ins_1' : 'ins_2', 'stdout', numbers(from, written).join(''));
      return (await bench.readAll()).filter(({ message }) => MARK.test(message)).length >= 3;
    });
    for (const id of ['ins_1', 'ins_2']) host.stop(id);
    await eventually('all is read', async () => (await host.runtime.outputs()).length === 0);
    const entries = await bench.readAll();
    const marks = entries.filter(({ message }) => MARK.test(message));
    expect(marks.length).toBeLessThanOrEqual((Date.now() - begun) / 1000 + 1);
    const dropped = droppedBy(entries.map(({ message }) => message));
    expect(entries.length - marks.length + dropped).toBe(written);
    expect(Number((await bench.usage())[0]?.dropped_lines)).toBe(dropped);
  });

  it('are told with the time at which they were, before what came after them', async () => {
    await using bench = await createCollectBench({ settings: { LILAC_LOG_LINES_PER_SECOND: '100' } });
    const { host, environmentId } = bench;
    host.begin('ins_1', environmentId);
    await eventually('two have told it', async () => {
      host.write('ins_1', 'stdout', numbers(1, 500).join(''));
      return (await bench.readAll()).filter(({ message }) => MARK.test(message)).length >= 2;
    });
    const lines = (await bench.readAll()).map(({ line, atMs }) => ({ line, atMs }));
    expect(lines.toSorted((one, other) => one.atMs - other.atMs || one.line - other.line)).toEqual(lines);
  });

  it('are counted exactly also when the process is stopped before it has told them', async () => {
    await using bench = await createCollectBench({ settings: { LILAC_LOG_LINES_PER_SECOND: '10' } });
    const { host, environmentId } = bench;
    host.begin('ins_1', environmentId);
    host.write('ins_1', 'stdout', numbers(1, 1000).join(''));
    await bench.lines(101);
    host.write('ins_1', 'stdout', numbers(1001, 2000).join(''));
    await bench.collector.stop();
    host.write('ins_1', 'stdout', numbers(2001, 3000).join(''));
    await bench.restart();
    host.stop('ins_1');
    await eventually('all is read', async () => (await host.runtime.outputs()).length === 0);
    const messages = (await bench.readAll()).map(({ message }) => message);
    expect(messages.filter((message) => !MARK.test(message)).length + droppedBy(messages)).toBe(3000);
  });
});

describe('more bytes than a day may have', () => {
  const settings = { LILAC_LOG_BYTES_PER_DAY: '10000' };
  const text = `${'x'.repeat(999)}\n`;

  it('are dropped and told, also by the next process, and the next day begins anew', async () => {
    await using bench = await createCollectBench({ settings });
    const { host, environmentId } = bench;
    host.begin('ins_1', environmentId);
    for (let count = 1; count <= 11; count++) {
      host.write('ins_1', 'stdout', text);
      await bench.lines(count);
    }
    host.write('ins_1', 'stdout', text.repeat(5));
    const [mark] = (await bench.lines(12)).slice(11);
    expect(mark?.message).toMatch(/^5 lines were dropped here: today's 0 MiB of log are used up/);
    const today = Date.now();
    await bench.restart();
    host.write('ins_1', 'stdout', text.repeat(7));
    const [again] = (await bench.lines(13)).slice(12);
    expect(again?.message).toMatch(/^7 lines were dropped here/);
    await bench.restart({ clock: { now: () => new Date(today + 86_400_000) } });
    host.write('ins_1', 'stdout', 'a new day\n');
    expect((await bench.lines(14))[13]?.message).toBe('a new day');
  });
});

describe('a chatty instance', () => {
  it('does not keep a quiet one waiting, and every line of it is stored or counted', async () => {
    await using bench = await createCollectBench({ environments: 2 });
    const [chatty = '', quiet = ''] = bench.environmentIds;
    const { host } = bench;
    host.begin('ins_chatty', chatty);
    host.begin('ins_quiet', quiet);
    const LINES = 2_000_000;
    const reads: string[] = [];
    const readOutput: Runtime['readOutput'] = async (id, from, maxBytes) => {
      const part = await host.runtime.readOutput(id, from, maxBytes);
      if (part.stdout.length > 0) reads.push(id);
      // It has something to say again and again.
      if (id === 'ins_quiet') host.write('ins_quiet', 'stdout', `${part.position.stdout}\n`);
      return part;
    };
    await bench.restart({ runtime: { ...host.runtime, readOutput } });
    host.write('ins_chatty', 'stdout', 'it is followed\n');
    await eventually('it is', async () => (await bench.readAll(chatty)).length === 1);
    host.write('ins_chatty', 'stdout', numbers(1, LINES).join(''));
    host.stop('ins_chatty');
    await eventually('all is read', async () => (await host.runtime.outputs()).length === 1);
    const messages = (await bench.readAll(chatty)).slice(1).map(({ message }) => message);
    const marks = messages.filter((message) => MARK.test(message));
    expect(messages.length - marks.length + droppedBy(messages)).toBe(LINES);
    expect(marks.length).toBeGreaterThan(0);
    // It takes many parts, and between two of them the other one has its turn, and its lines are stored.
    expect(reads.filter((id) => id === 'ins_chatty').length).toBeGreaterThan(10);
    expect(reads.join(' ')).not.toMatch(/(ins_chatty ?){3}/);
    expect((await bench.readAll(quiet)).length).toBeGreaterThan(10);
  });
});
