import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canRemoveMember, slugOf } from './organisation.ts';

describe('slugOf', () => {
  it.each([
    ['Acme', 'acme'],
    ['Café du Nord', 'cafe-du-nord'],
    ['  --Hello,   World!--  ', 'hello-world'],
    ['ﬁne', 'fine'],
    ['日本', 'organisation'],
    ['!!!', 'organisation'],
    ['a'.repeat(100), 'a'.repeat(40)],
    [`${'a'.repeat(39)} b`, 'a'.repeat(39)],
  ])('%o becomes %o', (name, slug) => {
    expect(slugOf(name)).toBe(slug);
  });

  it('can be part of an address, whatever the name', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 100 }), (name) => {
        expect(slugOf(name)).toMatch(/^[a-z0-9]([a-z0-9-]{0,38}[a-z0-9])?$/);
      }),
    );
  });
});

describe('canRemoveMember', () => {
  it.each([
    ['owner', 'usr_other', true],
    ['admin', 'usr_other', false],
    ['user', 'usr_other', false],
    ['owner', 'usr_me', true],
    ['admin', 'usr_me', true],
    ['user', 'usr_me', true],
  ] as const)('as %s, of %s: %s', (role, userId, expected) => {
    expect(canRemoveMember({ userId: 'usr_me', role }, userId)).toBe(expected);
  });
});
