import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { makeSafe, MAX_MESSAGE_BYTES } from './make-safe.ts';

describe('making a line safe', () => {
  it('keeps text and colours as they are', () => {
    for (const line of ['', 'plain', 'tab\there', 'grün 日本 🎉', '\u001b[1;31mred\u001b[0m']) {
      expect(makeSafe(line)).toBe(line);
    }
  });

  it('takes away what would do something to a terminal or a store', () => {
    expect(makeSafe('a\u001b[2Jb\u001b]0;title\u0007c')).toBe('abc');
    expect(makeSafe('a\0b\u0008c\u009b31md')).toBe('a\u{fffd}b\u{fffd}c\u{fffd}31md');
    expect(makeSafe('10%\r20%\n30%')).toBe('10% 20% 30%');
    expect(makeSafe('half \ud83c of it')).toBe('half \u{fffd} of it');
  });

  it('shows what turns the direction of text, and what some take for the end of a line', () => {
    expect(makeSafe('user \u202eadmin\u202c \u2066x\u2069 \u200e\u200f\u061c')).toBe('user �admin� �x� ���');
    expect(makeSafe('one\u2028two\u2029three')).toBe('one�two�three');
    expect(makeSafe('שלום é \u200d \u2030')).toBe('שלום é \u200d \u2030');
  });

  it('cuts what is too long and says how much', () => {
    expect(makeSafe('x'.repeat(MAX_MESSAGE_BYTES))).toHaveLength(MAX_MESSAGE_BYTES);
    expect(makeSafe('x'.repeat(MAX_MESSAGE_BYTES + 1234))).toBe(`${'x'.repeat(MAX_MESSAGE_BYTES)}… [1,234 bytes cut]`);
    expect(makeSafe('short', 5000)).toBe('short… [5,000 bytes cut]');
    expect(makeSafe(`x${'ü'.repeat(MAX_MESSAGE_BYTES / 2)}`)).toMatch(/^xü{8191}… \[2 bytes cut\]$/);
  });

  it('makes anything short, whole and harmless, and what is safe stays as it is', () => {
    const hostile = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({ unit: fc.constantFrom('\u001b', '[', '3', 'm', ']', '\u0007', '\ud800', 'é', '\n', '\r', '\u009b') }),
      fc.string({ unit: fc.constantFrom('a', 'ש', '\u202e', '\u2066', '\u200f', '\u061c', '\u2028', '\u2029') }),
      fc.string({ unit: 'grapheme', minLength: 9000, maxLength: 9000, size: 'max' }),
    );
    fc.assert(
      fc.property(hostile, (line) => {
        const safe = makeSafe(line);
        expect(safe.isWellFormed()).toBe(true);
        expect(Buffer.byteLength(safe)).toBeLessThanOrEqual(MAX_MESSAGE_BYTES + 40);
        // oxlint-disable-next-line no-control-regex -- this is what may be left
        expect(safe.replaceAll(/\u001b\[[\d;:]*m|\t/g, '')).not.toMatch(/[\p{Cc}\p{Bidi_Control}\u2028\u2029]/u);
        const isShort = Buffer.byteLength(safe) <= MAX_MESSAGE_BYTES;
        expect(isShort ? makeSafe(safe) : safe).toBe(safe);
      }),
    );
  });
});
