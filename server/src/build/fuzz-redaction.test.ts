import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { atOnce } from '../lib/in-slices.ts';
import { assertFuzzed, fuzzRuns, readNamedCorpus, withExamples } from '../testing/fuzz-settings.ts';
import { filled, growsLinearly } from '../testing/grows-linearly.ts';
import { PatternIndex } from './pattern-index.ts';
import { createRedactor } from './redact.ts';
import { formsOf } from './secret-forms.ts';
import { plainSpansIn } from './testing/plain-spans.ts';

/** Values of a tenant, and a line of its build: what was found to be hard is so only where these fit each other. */
interface Made {
  values: string[];
  before: string;
  pump: string;
  after: string;
}

const corpus = readNamedCorpus('texts').map(({ bytes }) => JSON.parse(bytes.toString()) as Made);

const letters = fc.constantFrom('ab', 'abc', 'a-', 'abcdefghij', '0123456789abcdef', 'aé"\'$\\% +/');
const piece = letters.chain((of) =>
  fc.array(fc.constantFrom(...of.split('')), { minLength: 1, maxLength: 40 }).map((some) => some.join('')),
);

/** All of the same few pieces, which may stand there many times. */
const made: fc.Arbitrary<Made> = fc.array(piece, { minLength: 1, maxLength: 4 }).chain((pieces) => {
  const repeated = fc
    .tuple(
      fc.constantFrom(...pieces),
      fc.oneof({ weight: 3, arbitrary: fc.constant(1) }, fc.integer({ max: 30, min: 2 })),
    )
    .map(([text, times]) => text.repeat(times));
  const text = (maxLength: number) => fc.array(repeated, { minLength: 1, maxLength }).map((parts) => parts.join(''));
  const values = fc.array(text(6), { minLength: 1, maxLength: 8 });
  return values.chain((all) => {
    // What is found is a form of a value, a part of one, or nearly one.
    const forms = all.flatMap((value) => atOnce(formsOf(value))).map((form) => form.text);
    const ofForm = fc
      .tuple(fc.constantFrom(...forms, 'none'), fc.nat(300), fc.nat(120))
      .map(([form, from, length]) => form.slice(from % form.length).slice(0, length + 1));
    const some = fc.oneof(text(3), ofForm);
    const around = fc.array(some, { maxLength: 6 }).map((parts) => parts.join(''));
    return fc.record({ values: fc.constant(all), before: around, pump: some, after: around });
  });
});

const makeOf = (value: string) => createRedactor({ KEY: value });

describe('what a build prints', () => {
  it('is searched for secrets in time that grows as the line does, whatever the values are', async () => {
    const property = fc.asyncProperty(made, async ({ values, pump, before, after }) => {
      const work = createRedactor(Object.fromEntries(values.map((value, n) => [`KEY_${n}`, value])));
      const make = (length: number) => filled(length, pump, { before, after });
      expect(await growsLinearly({ largest: 64 * 1024, make, work })).toBe(true);
    });
    await assertFuzzed(
      property,
      withExamples(
        fuzzRuns(40, 0.1),
        corpus.map((each): [Made] => [each]),
      ),
    );
  });

  it('loses exactly what a plain search finds', async () => {
    const property = fc.property(made, ({ values, pump, before, after }) => {
      const forms = values.flatMap((value) => atOnce(formsOf(value)));
      const line = filled(3000, pump, { before: before.slice(0, 300), after: after.slice(0, 300) });
      expect(atOnce(PatternIndex.of(forms)).spansIn(line)).toEqual(plainSpansIn(forms, line));
    });
    await assertFuzzed(
      property,
      withExamples(
        fuzzRuns(100, 0.1),
        corpus.map((each): [Made] => [each]),
      ),
    );
  });

  it('of which values are made takes time that grows as they do', async () => {
    const property = fc.asyncProperty(made, async ({ pump, before, after }) => {
      const make = (length: number) => filled(length, pump, { before, after });
      expect(await growsLinearly({ largest: 16 * 1024, make, work: makeOf })).toBe(true);
    });
    await assertFuzzed(
      property,
      withExamples(
        fuzzRuns(5, 0.1),
        corpus.map((each): [Made] => [each]),
      ),
    );
  });
});
