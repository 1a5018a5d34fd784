import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readConfig } from '../../../config.ts';
import { systemClock } from '../../../lib/clock.ts';
import { silentLog } from '../../../lib/log.ts';
import { MAX_MESSAGE_BYTES } from '../../../logs/make-safe.ts';
import { readAllLines } from '../../../logs/testing/log-world.ts';
import { eventually } from '../../../testing/eventually.ts';
import { createFakeClock } from '../../../testing/fake-clock.ts';
import { fuzzRounds, mutationsOf, readCorpus } from '../../../testing/fuzz-settings.ts';
import { keepingNothingOpen } from '../../../testing/keeping-nothing.ts';
import { startStreaming } from '../../../testing/start-streaming.ts';
import { createCollector, type Collector } from './collector.ts';
import { LONGEST_PART_BYTES } from './stream-reader.ts';
import { openOutputHost, type OutputHost } from './testing/output-host.ts';

/** From the file that an instance writes, by the real collector, to who searches and to who follows. */
let api: Awaited<ReturnType<typeof startStreaming>>;
let host: OutputHost;
let collector: Collector;
beforeAll(async () => {
  api = await startStreaming({ clock: createFakeClock(new Date()) });
  host = openOutputHost();
  host.begin('ins_1', api.environment.id);
  const config = readConfig({ LILAC_LOG_LINES_PER_SECOND: '1000000', LILAC_LOG_BYTES_PER_DAY: '1000000000000' });
  collector = createCollector({ store: api.store, config, runtime: host.runtime, clock: systemClock, log: silentLog });
  collector.start();
});
afterAll(async () => {
  await collector.stop();
  host[Symbol.dispose]();
  await api[Symbol.asyncDispose]();
});

const NEWLINE = Buffer.from('\n');
const telling = [
  '\n',
  '\r',
  '\0',
  '\x1b[',
  '\x1b]',
  '\x07',
  '\x9b',
  '\xff',
  '\xc0',
  '\xed\xa0\x80',
  '{"',
  '"}',
  'data: ',
  '\n\n',
];
const corpus = readCorpus('logs');
const outputs = fc.oneof(
  { weight: 6, arbitrary: mutationsOf(corpus, telling) },
  { weight: 2, arbitrary: fc.uint8Array({ maxLength: 300, size: 'max' }).map((bytes) => Buffer.from(bytes)) },
);

it('whatever is written comes to the reader and to the stream line by line, whole and harmless', async () => {
  using stream = await api.open();
  let count = 0;
  const sendRound = async (seed: number) => {
    // What is kept comes first, as it is.
    const samples = [...corpus, ...fc.sample(outputs, { seed, numRuns: 100 })];
    const lines = samples.flatMap((sample) => [sample, NEWLINE]);
    const written = Buffer.concat([...lines, Buffer.from(`end of ${seed}\n`)]);
    host.write('ins_1', seed % 2 ? 'stdout' : 'stderr', written);
    count += linesIn(written);
    await stream.has(count);
    const followed = stream.events.map(({ data }) => (JSON.parse(data) as { message: string }).message);
    expect({ seed, last: followed.at(-1) }).toEqual({ seed, last: `end of ${seed}` });
    const kept = (await readAllLines(api.store.db, api.environment.id)).map(({ message }) => message);
    expect({ seed, count: kept.length }).toEqual({ seed, count });
    expect({ seed, isSame: followed.every((message, at) => message === kept[at]) }).toEqual({ seed, isSame: true });
    for (const message of kept.slice(-linesIn(written))) expectHarmless(message, seed);
    await expectFound(kept, seed);
  };
  await keepingNothingOpen(async () => {
    for (const seed of fuzzRounds(ROUNDS)) await sendRound(seed);
  });
});

/** More than what may be left open: who opens a file for each of them and leaves it is found out. */
const ROUNDS = 6;

/** One line for each newline, and one more for each part of a line that is too long to wait for its end. */
function linesIn(bytes: Buffer): number {
  let [count, begin] = [0, 0];
  for (let end = bytes.indexOf(0x0a); end >= 0; end = bytes.indexOf(0x0a, begin)) {
    if (end - begin >= LONGEST_PART_BYTES) throw new Error('No line of the corpus may be as long as that.');
    count++;
    begin = end + 1;
  }
  return count;
}

function expectHarmless(message: string, seed: number): void {
  // oxlint-disable-next-line no-control-regex -- colours and tabs are all that may be left
  const rest = message.replaceAll(/\u001b\[[\d;:]*m|\t/g, '');
  const isHarmless = message.isWellFormed() && !/\p{Cc}|[\u2028\u2029\u202a-\u202e\u2066-\u2069]/u.test(rest);
  const isShort = Buffer.byteLength(message) <= MAX_MESSAGE_BYTES + 40;
  expect({ seed, isShort, harmful: isHarmless ? '' : message }).toEqual({ seed, isShort: true, harmful: '' });
}

/** The newest, as they are searched for: one text each, with nothing before it but time and severity. */
async function expectFound(kept: readonly string[], seed: number): Promise<void> {
  const { organisationId, token } = api.owner;
  const body = { targetOrganisationId: organisationId, environmentId: api.environment.id, limit: 200 };
  let found: string[] = [];
  await eventually('the search has the last line', async () => {
    const answer = await api.call('/api/environments/logs', { token, body });
    expect({ seed, status: answer.status }).toEqual({ seed, status: 200 });
    found = answer.body as string[];
    return found.at(-1)?.endsWith(`end of ${seed}`) === true;
  });
  const messages = found.map((line) => /^\S{24} (?:DEBUG|INFO|WARN|ERROR|FATAL) ([^]*)$/.exec(line)?.[1] ?? '');
  expect(messages.toSorted()).toEqual(kept.slice(-messages.length).toSorted());
}
