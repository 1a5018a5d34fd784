import { describe, expect, it } from 'vitest';
import { readConfig } from '../../../config.ts';
import { silentLog } from '../../../lib/log.ts';
import { eventually } from '../../../testing/eventually.ts';
import { createCollector } from './collector.ts';
import { createCollectBench } from './testing/collect-bench.ts';

const LINES = 5000;
const text = (word: string) => Array.from({ length: LINES }, (_, index) => `${word} ${index}\n`).join('');

/** A clock that can be set ahead: everything else that is timed is as it is. */
function createAheadClock() {
  let aheadMs = 0;
  return { now: () => new Date(Date.now() + aheadMs), advance: (ms: number) => void (aheadMs += ms) };
}

const settings = { LILAC_LOG_LINES_PER_SECOND: '100' };

async function createBench() {
  const clock = createAheadClock();
  const bench = await createCollectBench({ settings, clock });
  bench.host.begin('ins_1', bench.environmentId);
  /** Another process, of one that was killed: all it knows is in the store. */
  const startNext = () => {
    const { store, host } = bench;
    const deps = { store, config: readConfig(settings), runtime: host.runtime, clock, log: silentLog };
    const next = createCollector(deps);
    next.start();
    return { [Symbol.asyncDispose]: () => next.stop() };
  };
  return Object.assign(bench, { clock, startNext });
}

const messagesOf = (entries: readonly { message: string }[]) => entries.map(({ message }) => message);
const expected = (...words: string[]) =>
  words.flatMap((word) => Array.from({ length: LINES }, (_, index) => `${word} ${index}`));

describe('what was written while nobody read it', () => {
  it('is kept, however fast it is read, and what comes afterwards is measured as ever', async () => {
    await using bench = await createBench();
    bench.host.write('ins_1', 'stdout', 'before\n');
    await bench.lines(1);
    await bench.collector.stop();
    bench.host.write('ins_1', 'stdout', text('meanwhile'));
    await using _next = bench.startNext();
    expect(messagesOf(await bench.lines(LINES + 1))).toEqual(['before', ...expected('meanwhile')]);
    await eventually('all was read for a while', async () => {
      bench.host.write('ins_1', 'stdout', text('afterwards'));
      return messagesOf(await bench.readAll()).some((message) => message.includes('dropped here: more than 100 lines'));
    });
  });

  it('is so from the start of an instance of which nothing was ever read', async () => {
    await using bench = await createBench();
    await bench.collector.stop();
    bench.host.write('ins_1', 'stdout', text('first'));
    await using _next = bench.startNext();
    expect(messagesOf(await bench.lines(LINES))).toEqual(expected('first'));
  });

  it('is so while the store is away', async () => {
    await using bench = await createBench();
    const { store } = bench;
    bench.host.write('ins_1', 'stdout', 'before\n');
    await bench.lines(1);
    let isAway = false;
    let refused = 0;
    await bench.restart({
      store: {
        get db() {
          if (!isAway) return store.db;
          refused++;
          throw new Error('away');
        },
      },
    });
    bench.host.write('ins_1', 'stdout', 'still\n');
    await bench.lines(2);
    isAway = true;
    bench.host.write('ins_1', 'stdout', text('one'));
    await eventually('it was tried', () => refused >= 2);
    isAway = false;
    expect(messagesOf(await bench.lines(LINES + 2)).slice(2)).toEqual(expected('one'));
  });
});
