import { once } from 'node:events';
import { Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { eventually } from '../testing/eventually.ts';
import { EventStream, type StreamItem } from './event-stream.ts';

interface Source {
  batches: AsyncGenerator<readonly StreamItem[]>;
  taken: () => number;
  hasGivenBack: () => boolean;
}

/** Numbered events, as many as are asked for, until it is told to stop. */
function endless(signal: AbortSignal, size = 1): Source {
  let taken = 0;
  let hasGivenBack = false;
  async function* tell(): AsyncGenerator<readonly StreamItem[]> {
    try {
      while (!signal.aborted) {
        taken++;
        yield [{ id: String(taken), event: 'tick', data: 'x'.repeat(size) }];
      }
    } finally {
      hasGivenBack = true;
    }
  }
  return { batches: tell(), taken: () => taken, hasGivenBack: () => hasGivenBack };
}

function streamOf(batches: AsyncIterator<readonly StreamItem[]>, whoReads = new AbortController(), pingMs = 60_000) {
  const failures: unknown[] = [];
  const stream = new EventStream({
    batches,
    writeData: (_event, data) => JSON.stringify(data),
    whoReads,
    pingMs,
    retryMs: 1000,
    onError: (error) => failures.push(error),
  });
  return { stream, failures, whoReads };
}

/** A socket with room for little, that lets go only when it is told to. */
function narrow() {
  const written: string[] = [];
  let release: (() => void) | null = null;
  const sink = new Writable({
    highWaterMark: 10,
    decodeStrings: false,
    write(text: string, _encoding, done) {
      written.push(text);
      release = done;
    },
  });
  return { sink, written, letGo: () => release!() };
}

async function readAll(stream: EventStream): Promise<string> {
  let text = '';
  stream.on('data', (piece: string) => (text += piece));
  await once(stream, 'close');
  return text;
}

async function* tell(): AsyncGenerator<readonly StreamItem[]> {
  yield [{ id: '4' }];
  yield [];
  yield [
    { id: '5', event: 'log', data: 'a\nb' },
    { id: '6', event: 'log', data: {} },
  ];
}

async function* fail(): AsyncGenerator<readonly StreamItem[]> {
  yield [{ id: '1' }];
  throw new Error('no more');
}

describe('EventStream', () => {
  it('writes batches as they are, places without events too, and ends when they end', async () => {
    const { stream, whoReads } = streamOf(tell());
    expect(await readAll(stream)).toBe(
      'retry: 1000\n\nid: 4\n\nid: 5\nevent: log\ndata: "a\\nb"\n\nid: 6\nevent: log\ndata: {}\n\n',
    );
    expect(whoReads.signal.aborted).toBe(true);
  });

  it('takes the next only when there is room for it', async () => {
    const whoReads = new AbortController();
    const source = endless(whoReads.signal, 100);
    const { stream } = streamOf(source.batches, whoReads);
    const { sink, written, letGo } = narrow();
    stream.pipe(sink);
    await eventually('the first is written', () => written.length === 1);
    await new Promise(setImmediate);
    expect(source.taken()).toBe(0);
    for (let number = 1; number <= 5; number++) {
      letGo();
      await eventually('the next is written', () => written.length === number + 1);
      await new Promise(setImmediate);
      expect(source.taken()).toBe(number);
    }
    stream.destroy();
  });

  it('gives back what its source holds as soon as it is destroyed, even while the source waits', async () => {
    const whoReads = new AbortController();
    let hasGivenBack = false;
    async function* wait(): AsyncGenerator<readonly StreamItem[]> {
      try {
        yield [{ id: '1' }];
        await once(whoReads.signal, 'abort');
      } finally {
        hasGivenBack = true;
      }
    }
    const { stream, failures } = streamOf(wait(), whoReads);
    stream.resume();
    await eventually('it waits', () => stream.readableLength === 0);
    stream.destroy();
    await eventually('all is given back', () => hasGivenBack);
    expect(failures).toEqual([]);
  });

  it('gives back what its source holds when nobody ever read', async () => {
    const whoReads = new AbortController();
    const source = endless(whoReads.signal);
    await source.batches.next();
    streamOf(source.batches, whoReads).stream.destroy();
    await eventually('all is given back', source.hasGivenBack);
    expect(source.taken()).toBe(1);
  });

  it('pings, and does not while there is enough to read', async () => {
    const whoReads = new AbortController();
    const { stream } = streamOf({ next: () => new Promise(() => {}) }, whoReads, 5);
    const { sink, written, letGo } = narrow();
    stream.pipe(sink);
    await eventually('the first is written', () => written.length === 1);
    // Nobody takes it: pings would only pile up.
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(stream.readableLength).toBe(0);
    letGo();
    await eventually('it pings', () => written[1] === ': ping\n\n');
    stream.destroy();
  });

  it('is finished in good order where all was read, and broken off where it was not', async () => {
    const read = streamOf({ next: () => new Promise(() => {}) }).stream;
    const ending = readAll(read);
    await eventually('all is read', () => read.readableLength === 0);
    read.finish();
    expect(await ending).toBe('retry: 1000\n\n');
    const whoReads = new AbortController();
    const stalled = streamOf(endless(whoReads.signal, 100).batches, whoReads).stream;
    const { sink, written } = narrow();
    stalled.pipe(sink);
    await eventually('it stalls', () => written.length === 1);
    stalled.finish();
    expect(stalled.destroyed).toBe(true);
    expect(whoReads.signal.aborted).toBe(true);
  });

  it('tells what its source failed with, and ends', async () => {
    const { stream, failures } = streamOf(fail());
    expect(await readAll(stream)).toBe('retry: 1000\n\nid: 1\n\n');
    expect(failures).toEqual([new Error('no more')]);
  });
});
