import { declarationOf, endpointNames } from '@lilac/contract/endpoints';
import { describe, expect, it } from 'vitest';
import { ANSWERED_OTHERWISE } from './answered-otherwise.ts';
import { idFieldsOf } from './id-seeds.ts';
import { isRunBy } from './named-tests.ts';

describe('what the matrix of calls leaves to other tests', () => {
  it('is tried by tests that there are', () => {
    const reasons = Object.values(ANSWERED_OTHERWISE).filter((reason) => typeof reason === 'object');
    expect(reasons.length).toBeGreaterThan(0);
    expect(reasons.filter(({ file, words }) => !isRunBy(file, words))).toEqual([]);
  });

  it('is an id that such a call takes', () => {
    const taken = endpointNames
      .map(declarationOf)
      .flatMap((declaration) => idFieldsOf(declaration).map(({ name }) => `${declaration.path} ${name}`));
    expect(Object.keys(ANSWERED_OTHERWISE).filter((one) => !taken.includes(one))).toEqual([]);
  });
});

describe('a test that is named', () => {
  const file = 'testing/answered-otherwise.test.ts';

  it('is there by its words, as a pattern', () => {
    expect(isRunBy(file, 'as a pat+ern')).toBe(true);
    expect(isRunBy(file, 'what nobody called a test')).toBe(false);
  });

  it('is none in a file that is not there, or holds no tests', () => {
    expect(isRunBy('testing/nowhere.test.ts', 'as a pattern')).toBe(false);
    expect(isRunBy('testing/answered-otherwise.ts', 'as a pattern')).toBe(false);
  });
});
