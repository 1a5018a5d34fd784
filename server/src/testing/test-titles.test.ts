import { expect, it } from 'vitest';
import { titlesIn } from './test-titles.ts';

const SOURCE = String.raw`
// it('is said in a comment', () => {});
/* describe('so is this', () => {}); */
import { a } from 'imported';
const path = /it\('is a pattern'/;
describe('a thing', () => {
  it('does it', () => expect(call('said to it')).toBe("said by it"));
  it.each(['not a title', 'nor this'])('does %s', () => {});
  it.each<[string, () => Promise<string>]>([['first of a row', () => a('x')], ['of the next', b]])(
    'on a line of its own: %s',
    () => {},
  );
  describe.skipIf(!a('never'))("it's there", () => {});
});
export const cases = [{ title: 'of a table', value: 'of no title' }];
describeEachSeries('in each series', () => {});
`;

it('finds what names tests, and nothing that is merely written in their file', () => {
  expect(titlesIn(SOURCE)).toEqual([
    'a thing',
    'does it',
    'does %s',
    'first of a row',
    'of the next',
    'on a line of its own: %s',
    "it's there",
    'of a table',
    'in each series',
  ]);
});
