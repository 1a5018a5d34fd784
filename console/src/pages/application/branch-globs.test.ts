import { describe, expect, it } from 'vitest';
import { parseGlobs, printGlobs } from './branch-globs.ts';

describe('the branches that get an environment', () => {
  it('are one to a line, each once', () => {
    expect(parseGlobs(' feature/* \n\n{a,b}\r\nfix-*\nfix-*')).toEqual(['feature/*', '{a,b}', 'fix-*']);
    expect(parseGlobs(' \n')).toEqual([]);
  });

  it('come back as they were written', () => {
    const globs = ['feature/*', 'fix-*'];
    expect(parseGlobs(printGlobs(globs))).toEqual(globs);
  });
});
