import { describe, expect, it } from 'vitest';
import type { Keyring } from '../../secrets/keyring.ts';
import { assertContainerSize } from './container-size.ts';
import { readDirectory } from './directory.ts';
import { assertRegion } from './region.ts';
import { fitScaling } from './scaling.ts';
import { assertVariables, isSameVariables, openVariables, sealVariables } from './variables.ts';

const refusal = (message: RegExp) =>
  expect.objectContaining({ code: 'VA001', message: expect.stringMatching(message) });

describe('a directory of the source', () => {
  it.each([
    ['dist', 'dist'],
    ['./dist/', 'dist'],
    ['.', ''],
    ['./', ''],
    ['apps//web/./out', 'apps/web/out'],
    ['..dist', '..dist'],
    ['a b/ünï', 'a b/ünï'],
    ['-rf', '-rf'],
  ])('%j is %j', (text, directory) => {
    expect(readDirectory('outputDirectory', text)).toBe(directory);
  });

  it.each(['/etc', '/', '..', 'a/../..', 'dist/..', String.raw`..\a`, String.raw`C:\a`])('%j is refused', (text) => {
    expect(() => readDirectory('rootDirectory', text)).toThrow(refusal(/^rootDirectory must/));
  });
});

describe('the size of a container', () => {
  it('is a pair of the catalogue, or memory alone', () => {
    for (const size of [
      { memory: '512Mi', cpu: '0.5' },
      { memory: '32Gi', cpu: '8' },
      { memory: '2Gi', cpu: null },
    ]) {
      expect(() => assertContainerSize(size)).not.toThrow();
    }
  });

  it('is refused with what would be right', () => {
    expect(() => assertContainerSize({ memory: '513Mi', cpu: null })).toThrow(refusal(/128Mi, 256Mi/));
    expect(() => assertContainerSize({ memory: '32Gi', cpu: '1' })).toThrow(refusal(/With memory 32Gi.* 8\.$/));
  });
});

it('a region must be one of the catalogue', () => {
  expect(() => assertRegion('local')).not.toThrow();
  expect(() => assertRegion('mars-1')).toThrow(refusal(/local/));
});

describe('the range of instances', () => {
  it.each([
    ['free', 10, 3],
    ['pro', 100, 20],
    ['enterprise', 100, 100],
    ['free', 2, 2],
  ] as const)('on the plan %s a maximum of %i becomes %i', (plan, max_instances, fitted) => {
    expect(fitScaling(plan, { min_instances: 1, max_instances })).toEqual({ min_instances: 1, max_instances: fitted });
  });

  it('is refused when its lower end is above its upper one or above the plan', () => {
    expect(() => fitScaling('pro', { min_instances: 3, max_instances: 2 })).toThrow(refusal(/not be above/));
    expect(() => fitScaling('free', { min_instances: 4, max_instances: 10 })).toThrow(refusal(/at most 3/));
  });
});

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
