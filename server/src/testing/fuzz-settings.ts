import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { keepingNothingInMemory, keepingNothingOpen } from './keeping-nothing.ts';

/**
 * In the suite a fuzzer goes on for seconds and does the same every time. `npm run fuzz` lets it go on for minutes,
 * from a seed that it prints.
 */
const { LILAC_FUZZ_MINUTES: minutes, LILAC_FUZZ_SEED: seed = '1' } = process.env;

const fuzzSeed = Number(seed);
/** Of the long form; null in the suite. */
export const fuzzMs = minutes === undefined ? null : Number(minutes) * 60_000;

export interface FuzzRuns {
  seed: number;
  numRuns: number;
  /** How long it goes on at least; null: until those are done. */
  lastsMs: number | null;
}

/** So many runs; in the long form it goes on after them, until the property's share of the time is over. */
export function fuzzRuns(numRuns: number, share = 1): FuzzRuns {
  return { seed: fuzzSeed, numRuns, lastsMs: fuzzMs === null ? null : fuzzMs * share };
}

/**
 * Where something is to be reached by it, it goes on until it is: a slow machine comes no further than the first runs.
 * Nothing that was opened for it may be open when it is over, and the long form may keep nothing of it in memory.
 */
export async function assertFuzzed<Values>(
  property: fc.IAsyncProperty<Values> | fc.IProperty<Values>,
  runs: FuzzRuns & Pick<fc.Parameters<Values>, 'examples'>,
  isReached = () => true,
): Promise<void> {
  await keepingNothingOpen(() => fuzz(property, runs, isReached));
}

async function fuzz<Values>(
  property: fc.IAsyncProperty<Values> | fc.IProperty<Values>,
  { lastsMs, ...first }: FuzzRuns & Pick<fc.Parameters<Values>, 'examples'>,
  isReached: () => boolean,
): Promise<void> {
  const endsAt = Date.now() + (lastsMs ?? 0);
  await fc.assert(property, first);
  const { numRuns } = first;
  // The next seed, so that it does not begin with the same.
  let seed = first.seed + 1;
  const leftMs = endsAt - Date.now();
  // By now all is loaded and kept ready that such a thing needs.
  if (leftMs > 0) await keepingNothingInMemory(() => goOnFor(leftMs, property, seed));
  for (let more = 1; !isReached() && more < MOST_TIMES; more++) await fc.assert(property, { seed: ++seed, numRuns });
}

/** Where the time is over before one run is, nothing was found: the first runs were done before. */
async function goOnFor<Values>(
  lastsMs: number,
  property: fc.IAsyncProperty<Values> | fc.IProperty<Values>,
  seed: number,
): Promise<{ rounds: number }> {
  const outcome = await fc.check(property, { seed, numRuns: ENDLESS, interruptAfterTimeLimit: lastsMs });
  const isOnlyOver = outcome.interrupted && outcome.numRuns === 0;
  if (outcome.failed && !isOnlyOver) throw new Error(await fc.asyncDefaultReportMessage(outcome));
  return { rounds: outcome.numRuns };
}

/** Some seeds have little luck; what is not reached then either is kept from it by more than chance. */
const MOST_TIMES = 10;

/** These first, and none of the others less for it. */
export function withExamples<Values>(runs: FuzzRuns, examples: Values[]): FuzzRuns & { examples: Values[] } {
  return { ...runs, numRuns: runs.numRuns + examples.length, examples };
}

const ENDLESS = 2 ** 31 - 1;

/** For what is no property: so many rounds, or as many as there are in the time. Each has a seed of its own. */
export function* fuzzRounds(rounds: number, share = 1): Generator<number> {
  const endsAt = fuzzMs === null ? 0 : Date.now() + fuzzMs * share;
  for (let round = 0; round < rounds || Date.now() < endsAt; round++) yield fuzzSeed + round;
}

/** What is kept in `fuzz/corpus/`: what once led to a fault, and what others are made of. */
export function readCorpus(part: string): Buffer[] {
  return readNamedCorpus(part).map(({ bytes }) => bytes);
}

/** The same, for fuzzers that say which of them it was. */
export function readNamedCorpus(part: string): { name: string; bytes: Buffer }[] {
  const folder = join(import.meta.dirname, '../../../fuzz/corpus', part);
  return readdirSync(folder)
    .toSorted()
    .map((name) => ({ name, bytes: readFileSync(join(folder, name)) }));
}

/** One of them with some bytes set, put in, taken out, doubled or cut off. */
export function mutationsOf(corpus: readonly Buffer[], telling: readonly string[]): fc.Arbitrary<Buffer> {
  return fc
    .tuple(fc.constantFrom(...corpus), fc.array(editsWith(telling), { maxLength: 8 }))
    .map(([bytes, edits]) => edits.reduce(apply, bytes));
}

interface Edit {
  kind: 'set' | 'insert' | 'remove' | 'double' | 'cut';
  at: number;
  length: number;
  bytes: Buffer;
}

/** What the format itself is made of hurts most. */
function editsWith(telling: readonly string[]): fc.Arbitrary<Edit> {
  const bytes = fc.oneof(
    fc.constantFrom(...telling).map((text) => Buffer.from(text, 'latin1')),
    fc.uint8Array({ minLength: 1, maxLength: 8 }).map((array) => Buffer.from(array)),
  );
  const kind = fc.constantFrom<Edit['kind'][]>('set', 'set', 'insert', 'insert', 'remove', 'double', 'cut');
  return fc.record({ kind, at: fc.nat(2 ** 20), length: fc.integer({ min: 1, max: 64 }), bytes });
}

function apply(whole: Buffer, { kind, at, length, bytes }: Edit): Buffer {
  const place = whole.length === 0 ? 0 : at % whole.length;
  const before = whole.subarray(0, place);
  if (kind === 'cut') return before;
  if (kind === 'insert') return Buffer.concat([before, bytes, whole.subarray(place)]);
  if (kind === 'set') return Buffer.concat([before, bytes, whole.subarray(place + bytes.length)]);
  if (kind === 'remove') return Buffer.concat([before, whole.subarray(place + length)]);
  return Buffer.concat([before, whole.subarray(place, place + length), whole.subarray(place)]);
}
