import { describe, expect, it } from 'vitest';
import { stateOf } from './program-processes.ts';

describe('the processes of a program', () => {
  it('are known by their state, whatever they call themselves', () => {
    expect(stateOf('42 (node) S 1 42')).toBe('S');
    expect(stateOf('42 (a) Z) S 1 42')).toBe('S');
    expect(stateOf('42 (gone) Z 1 42')).toBe('Z');
  });
});
