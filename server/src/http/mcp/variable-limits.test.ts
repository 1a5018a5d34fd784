import { describe, expect, it } from 'vitest';
import { MAX_VARIABLE_BYTES, MAX_VARIABLES } from '@lilac/contract/variable-limits';
import { assertFittingVariables } from '@lilac/mcp/assert-fitting-variables';
import { assertVariables } from '../../modules/environments/variables.ts';

const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`V${index}`, '']));

function isTaken(check: () => void): boolean {
  try {
    check();
    return true;
  } catch {
    return false;
  }
}

describe('what a tool takes for variables that fit', () => {
  it.each([
    ['as many as there may be', many(MAX_VARIABLES), true],
    ['one more', many(MAX_VARIABLES + 1), false],
    ['as much as there may be', { V: 'ü'.repeat((MAX_VARIABLE_BYTES - 2) / 2), W: '' }, true],
    ['a byte more', { V: 'ü'.repeat((MAX_VARIABLE_BYTES - 2) / 2), W: '1' }, false],
    ['U+0000', { V: '\0' }, false],
    ['half a character', { V: '\uD800' }, false],
  ])('is what the platform takes: %s', (_, variables, fits) => {
    const taken = [assertFittingVariables, assertVariables].map((assert) => isTaken(() => assert(variables)));
    expect(taken).toEqual([fits, fits]);
  });
});
