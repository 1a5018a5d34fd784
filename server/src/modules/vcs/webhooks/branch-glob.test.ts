import fc from 'fast-check';
import picomatch from 'picomatch';
import { describe, expect, it } from 'vitest';
import { isBranchName } from '../../../vcs/git/branch-name.ts';
import { compileBranchGlob } from './branch-glob.ts';
import { Steps } from './glob-automaton.ts';

/** The library that read the globs before, which tries everything in turn. */
function isMatchByLibrary(glob: string, name: string): boolean {
  return picomatch.makeRe(glob, { dot: true, nonegate: true, noextglob: true }).test(name);
}

/** All the names of branches of up to four letters. */
const NAMES = Array.from({ length: 4 })
  .reduce<string[][]>(
    (all) => [...all, all.at(-1)!.flatMap((name) => ['a', 'b', '/', '.', '-'].map((letter) => name + letter))],
    [['']],
  )
  .flat()
  .filter((name) => isBranchName(name) && !name.includes('./'));

const piece = fc.constantFrom(
  'a',
  'b',
  '/',
  '-',
  '.',
  '*',
  '**',
  '?',
  '[ab]',
  '[^a]',
  '[a-b]+',
  '{a,b}',
  '{a,b/*}',
  '(a|b)',
);
const pieces = fc.array(piece, { minLength: 1, maxLength: 6 }).map((all) => all.join(''));
const part = fc.constantFrom(
  'a',
  '*',
  '**',
  '?',
  'a*',
  '*b',
  '*.a',
  '**a',
  'a**',
  '[ab]*',
  '{a,b}',
  '{a*,b}',
  '{b,a/**}',
);
const parts = fc.array(part, { minLength: 1, maxLength: 5 }).map((all) => all.join('/'));
const choice = fc
  .tuple(pieces, fc.array(pieces, { minLength: 2, maxLength: 3 }), pieces)
  .map(([before, all, after]) => `${before}{${all.join(',')}}${after}`);

/** Where the library says what nobody means: two dots in braces, dots behind three stars; and no branch begins so. */
const isStrange = (glob: string): boolean => /\.\.|\*\*\*|^\.?\//.test(glob);
/** Where it lets `a/**` before a slash stand for `a` if what follows may be nothing. */
const mayEndEarly = (glob: string): boolean => /\/\*\*\/.*\{.*\*\*/.test(glob);

describe('a glob', () => {
  it('names what it named when a library read it', () => {
    fc.assert(
      fc.property(
        fc.oneof(pieces, parts, choice).filter((glob) => !isStrange(glob) && !mayEndEarly(glob)),
        (glob) => {
          const automaton = compileBranchGlob(glob);
          const named = NAMES.filter((name) => automaton?.matches(name, new Steps(Infinity)));
          expect(named).toEqual(NAMES.filter((name) => isMatchByLibrary(glob, name)));
        },
      ),
      { numRuns: 200 },
    );
  });

  it.each([
    ['stars', `${'*a'.repeat(127)}b`],
    ['stars in parentheses', `${'(a*)*'.repeat(50)}b`],
    ['once or more often, and again', `${'('.repeat(80)}a${')+'.repeat(80)}b`],
    ['alternatives', `${'{a,aa,aaa}*'.repeat(22)}b`],
    ['alternatives in alternatives', `${'{a,'.repeat(80)}a${'}'.repeat(80)}b`],
    ['folders', `${'**/'.repeat(80)}b`],
    ['brackets that do not close', '['.repeat(255)],
    ['braces that do not close', '{,'.repeat(127)],
  ])('takes no more steps than its letters times those of the name: %s', (_what, glob) => {
    for (const name of ['a'.repeat(255), 'a/'.repeat(127)]) {
      const automaton = compileBranchGlob(glob)!;
      const steps = new Steps(Infinity);
      expect(automaton.matches(name, steps)).toBe(false);
      expect(automaton.size).toBeLessThanOrEqual(4 * glob.length);
      expect(steps.taken).toBeLessThanOrEqual(4 * glob.length * (name.length + 1));
    }
  });

  it('is read whatever it holds, and goes through no name for ever', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'ab/*?+[]{}(),|.!^-:\\'.split('')), maxLength: 60 }), (glob) => {
        const automaton = compileBranchGlob(glob);
        const steps = new Steps(Infinity);
        automaton?.matches('a/b'.repeat(20), steps);
        expect(steps.taken).toBeLessThanOrEqual(4 * (glob.length + 4) * 61);
      }),
      { numRuns: 2000 },
    );
  });
});
