import { describe, expect, it } from 'vitest';
import { isUnlockPath, safeNextPath } from './next-path.ts';

describe('where to go when the password was right', () => {
  it.each(['/', '/a/b?c=d&e=%2F%2Fevil.test', '/a?next=//evil.test', '/.lilac/other', '/a?b=\\c'])('%s', (path) => {
    expect(safeNextPath(path)).toBe(path);
  });

  it.each([
    '',
    'a',
    '//evil.test',
    '/\\evil.test',
    '\\\\evil.test',
    '/a\\..\\b',
    'https://evil.test/',
    'javascript:alert(1)',
    '/a\r\nSet-Cookie: x=y',
    '/a b',
    '/ä',
    `/${'x'.repeat(2000)}`,
    '/.lilac/unlock',
    '/.lilac/unlock?x',
  ])('is the start, not %j', (path) => {
    expect(safeNextPath(path)).toBe('/');
  });
});

describe('the path of the form', () => {
  it('is one path, and no other that begins like it', () => {
    expect(['/.lilac/unlock', '/.lilac/unlock?a=b'].map(isUnlockPath)).toEqual([true, true]);
    expect(['/.lilac/unlocked', '/.lilac/unlock/', '/.lilac', '/'].some(isUnlockPath)).toBe(false);
  });
});
