import { describe, expect, it } from 'vitest';
import { isRecent } from './git-version.ts';

describe('isRecent', () => {
  it('wants git 2.37 or newer', () => {
    const recent = [
      'git version 2.37.0',
      'git version 2.39.5',
      'git version 2.50.1 (Apple Git-155)',
      'git version 3.0.0',
    ];
    expect(recent.map(isRecent)).toEqual([true, true, true, true]);
    expect(['git version 2.36.9', 'git version 2.9.5', 'git version 1.99', ''].map(isRecent)).toEqual([
      false,
      false,
      false,
      false,
    ]);
  });
});
