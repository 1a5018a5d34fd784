import { describe, expect, it } from 'vitest';
import { sayToOperator } from './say-to-operator.ts';

describe('what is said of the operator, to the operator', () => {
  it.each([
    ['It is wrong. The operator can mend that with `x`.', 'It is wrong. Mend that with `x`.'],
    ['It is not set up. The operator does so with `x`.', 'It is not set up. Do so with `x`.'],
    ['No. The operator of the platform has to correct its address', 'No. Correct its address'],
    ['It lacks one. The operator adds it in the settings.', 'It lacks one. Add it in the settings.'],
    ['The host did not answer.', 'The host did not answer.'],
  ])('%s', (message, expected) => {
    expect(sayToOperator(message)).toBe(expected);
  });
});
