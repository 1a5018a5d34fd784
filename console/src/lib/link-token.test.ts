import { describe, expect, it } from 'vitest';
import { linkToken } from './link-token.ts';

describe('linkToken', () => {
  it('is what stands after the number sign', () => expect(linkToken('#abc_-9')).toBe('abc_-9'));
  it('is null when the link was cut', () => expect([linkToken(''), linkToken('#')]).toEqual([null, null]));
});
