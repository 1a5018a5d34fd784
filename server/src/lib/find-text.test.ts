import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assertFuzzed, fuzzRuns } from '../testing/fuzz-settings.ts';
import { filled, growsLinearly } from '../testing/grows-linearly.ts';
import { createTextFinder } from './find-text.ts';

/** Few letters, so that parts come over and over. */
const piece = fc.string({ unit: fc.constantFrom('a', 'b', 'ß', '\n'), minLength: 1, maxLength: 12 });
const periodic = fc
  .tuple(piece, fc.integer({ min: 1, max: 12 }), piece)
  .map(([one, times, other]) => one.repeat(times) + other);

const lettersA = (length: number) => filled(length, 'a');

describe('a text finder', () => {
  it('says what the engine says', async () => {
    const property = fc.property(fc.array(periodic, { maxLength: 6 }), periodic, fc.nat(80), (parts, wanted, from) => {
      const text = parts.join('');
      for (const each of [wanted, text.slice(from), text.slice(from, from + 40), '']) {
        expect([each, createTextFinder(each)(text)]).toEqual([each, text.includes(each)]);
      }
    });
    await assertFuzzed(property, fuzzRuns(500, 0.1));
  });

  // The engine's own search takes sixteen times as long for four times as much of these.
  it.each([
    ['all but the second letter is the same', { before: 'ab' }],
    ['all but the last letter is the same', { after: 'b' }],
    ['one in the middle is another', { before: `${'a'.repeat(300)}b` }],
    ['one at the end of many beginnings is another', { before: 'aaab'.repeat(50) }],
  ])('needs as much longer as text and texts looked for are longer, where %s', async (_name, around) => {
    const work = (text: string) => createTextFinder(filled(text.length / 2, 'a', around))(text);
    await expect(growsLinearly({ largest: 2 ** 18, make: lettersA, work })).resolves.toBe(true);
  });
});
