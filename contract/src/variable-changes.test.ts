import { describe, expect, it } from 'vitest';
import { changesBetween, patchBetween } from './variable-changes.ts';

describe('what differs between variables', () => {
  it('is what is added, changed and removed, by name', () => {
    const before = { A: '1', B: '2', C: '3', Z: '0' };
    expect(changesBetween(before, { E: '5', D: '4', B: '2 ', A: '1' })).toEqual({
      added: ['D', 'E'],
      changed: ['B'],
      removed: ['C', 'Z'],
    });
  });

  it('is all that is sent: what others save meanwhile stays', () => {
    const before = { A: '1', B: '2', C: '3' };
    expect(patchBetween(before, { A: 'mine', B: '2', EMPTY: '' })).toEqual({ A: 'mine', C: null, EMPTY: '' });
  });
});

describe('a variable that is called what every object has', () => {
  const names = ['constructor', 'toString', 'valueOf', 'hasOwnProperty', '__proto__'];
  const all = Object.fromEntries(names.map((name) => [name, 'old']));

  it.each(names)('%s is added, changed and removed', (name) => {
    const one = Object.fromEntries([[name, 'new']]);
    expect(Object.entries(patchBetween({}, one))).toEqual([[name, 'new']]);
    expect(Object.entries(patchBetween(all, { ...all, ...one }))).toEqual([[name, 'new']]);
    expect(Object.entries(patchBetween(one, {}))).toEqual([[name, null]]);
  });
});
