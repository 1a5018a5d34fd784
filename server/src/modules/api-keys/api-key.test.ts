import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hashApiKey, mintApiKey, parseApiKey } from './api-key.ts';

describe('mintApiKey', () => {
  it('makes a text of the documented form, whose row can be found and whose hash proves it', () => {
    const key = mintApiKey();
    expect(key.text).toMatch(/^lc_[0-9A-Za-z]{12}_[0-9A-Za-z]{38}$/);
    expect(parseApiKey(key.text)).toEqual({ publicId: key.publicId });
    expect(key.secretHash).toEqual(createHash('sha256').update(key.text).digest());
    expect(hashApiKey(key.text)).toEqual(key.secretHash);
  });

  it('shows no more of the secret than four digits', () => {
    const { text, prefix, publicId } = mintApiKey();
    expect(prefix).toBe(`lc_${publicId}_${text.slice(16, 20)}…`);
  });

  it('uses every digit about equally often', () => {
    const counts = new Map<string, number>();
    for (let index = 0; index < 2000; index++) {
      const { text, publicId } = mintApiKey();
      for (const digit of publicId + text.slice(16, 48)) counts.set(digit, (counts.get(digit) ?? 0) + 1);
    }
    expect(counts.size).toBe(62);
    const mean = (2000 * 44) / 62;
    // Six standard deviations; a plain remainder would favour eight digits by a quarter.
    for (const count of counts.values()) expect(Math.abs(count - mean)).toBeLessThan(6 * Math.sqrt(mean));
  });
});

describe('parseApiKey', () => {
  it('knows a text by its checksum, as any CRC-32 computes it', () => {
    expect(parseApiKey('lc_AAAAAAAAAAAA_BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBB0wD6Po')).toEqual({ publicId: 'AAAAAAAAAAAA' });
  });

  it('refuses every text that differs in one digit', () => {
    const digit = fc.stringMatching(/^[0-9A-Za-z]$/);
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 53 }), digit, (place, wrong) => {
        const { text } = mintApiKey();
        fc.pre(text[place] !== wrong);
        expect(parseApiKey(text.slice(0, place) + wrong + text.slice(place + 1))).toBeNull();
      }),
    );
  });

  it.each(['', 'lc_', 'lc__', 'Bearer lc_x', 'lc_short_secret'])('refuses %o', (text) => {
    expect(parseApiKey(text)).toBeNull();
  });

  it('refuses a key with anything before or after it', () => {
    const { text } = mintApiKey();
    for (const wrong of [` ${text}`, `${text}\n`, `${text}x`, text.slice(0, -1)]) expect(parseApiKey(wrong)).toBeNull();
  });
});
