import { describe, expect, it } from 'vitest';
import type { Keyring } from '../../secrets/keyring.ts';
import { refusal } from './testing/refusal.ts';
import { assertVariables, isSameVariables, openVariables, sealVariables } from './variables.ts';

describe('variables', () => {
  const keyring: Keyring = {
    seal: (text, place) => `${place.row}:${text}`,
    open: (sealed, place) => sealed.slice(place.row.length + 1),
  };

  it('come back byte for byte', () => {
    const variables = {
      DOLLAR: '$HOME ${HOME} $(id) `id`',
      HASH: 'a # b',
      QUOTES: `"'\\"`,
      LINES: 'one\r\ntwo\n',
      SPACES: '  x  ',
      EMPTY: '',
      UNICODE: 'é \u200B 🌷 \u{10FFFF}',
      constructor: 'x',
      toString: 'y',
    };
    const sealed = sealVariables(keyring, 'env_1', variables);
    expect(openVariables(keyring, { id: 'env_1', variables: sealed })).toStrictEqual(variables);
    expect(sealVariables(keyring, 'env_1', {})).toBeNull();
    expect(openVariables(keyring, { id: 'env_1', variables: null })).toEqual({});
  });

  it('may be 1,000, of 512 KiB in all', () => {
    expect(() => assertVariables(many(1000))).not.toThrow();
    expect(() => assertVariables(many(1001))).toThrow(refusal(/1000 names/));
    expect(() => assertVariables(large(65_536 - 8))).not.toThrow();
    expect(() => assertVariables(large(65_536 - 7))).toThrow(refusal(/524288 bytes/));
  });

  it('are refused, by name, when no program could be given them', () => {
    expect(() => assertVariables({ OK: 'x', BAD: 'a\0b' })).toThrow(refusal(/environmentVars\.BAD/));
    expect(() => assertVariables({ BAD: 'a\uD800b' })).toThrow(refusal(/environmentVars\.BAD/));
  });

  it('are the same in whatever order', () => {
    expect(isSameVariables({ A: '1', B: '2' }, { B: '2', A: '1' })).toBe(true);
    expect(isSameVariables({ A: '1' }, { B: '1' })).toBe(false);
    expect(isSameVariables({ A: '1', B: '2' }, { A: '1' })).toBe(false);
    expect(isSameVariables({ toString: 'x' }, { A: 'x' })).toBe(false);
  });
});

function many(count: number): Record<string, string> {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`V${index}`, 'x']));
}

/** Seven names with 64 KiB each, and an eighth. */
function large(last: number): Record<string, string> {
  const full = Array.from({ length: 7 }, (_, index) => [`${index}`, 'é'.repeat(32_768)]);
  return Object.fromEntries([...full, ['H', 'x'.repeat(last)]]) as Record<string, string>;
}
