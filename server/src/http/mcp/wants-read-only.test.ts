import { describe, expect, it } from 'vitest';
import { assertQuery, wantsReadOnly } from './wants-read-only.ts';

describe('the switch for reading only', () => {
  it.each([
    { readonly: '' },
    { readonly: '1' },
    { readonly: 'yes' },
    { readonly: 'True' },
    { readonly: 'of' },
    { readOnly: '1' },
    { 'read-only': 'on' },
    { readonly: ['1', '1'] },
    { readonly: ['0', '1'] },
    { readonly: '0', readOnly: '1' },
  ])('is on with ?%j', (query) => expect(wantsReadOnly({ query, headers: {} })).toBe(true));

  it.each(['', '1', 'TRUE', 'yes', '1, 1', 'nonsense'])('is on with the header "%s"', (value) =>
    expect(wantsReadOnly({ query: {}, headers: { 'x-lilac-read-only': value } })).toBe(true),
  );

  it.each(['x-lilac-readonly', 'x-lilac-read_only', 'lilac-read-only', 'x-read-only', 'read-only'])(
    'is on with the header %s',
    (name) => expect(wantsReadOnly({ query: {}, headers: { [name]: '1' } })).toBe(true),
  );

  it('is the only parameter: what was meant for it and is none is refused', () => {
    expect(() => assertQuery({ query: { 'read-only': '1', readonly: '' } })).not.toThrow();
    expect(() => assertQuery({ query: { readonly: '1', readonyl: '1' } })).toThrow('"readonyl"');
  });

  it.each(['0', 'false', 'No', ' off '])('is off where it plainly says "%s"', (value) =>
    expect(wantsReadOnly({ query: { readonly: value }, headers: { 'x-lilac-read-only': value } })).toBe(false),
  );

  it('is off where nobody names it', () => expect(wantsReadOnly({ query: { other: '1' }, headers: {} })).toBe(false));
});
