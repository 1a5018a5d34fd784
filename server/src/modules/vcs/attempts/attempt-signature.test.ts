import { describe, expect, it } from 'vitest';
import { newId } from '../../../lib/ids.ts';
import { isProof, proofOf, readState, readTicket, writeState, writeTicket } from './attempt-signature.ts';

const key = Buffer.alloc(32, 1);
const id = newId('vca');

describe('what people carry for an attempt', () => {
  it('comes back as what was given', () => {
    expect(readState(key, 'provider1', writeState(key, 'provider1', id))).toBe(id);
    expect(readTicket(key, writeTicket(key, id))).toBe(id);
    expect(isProof(key, id, proofOf(key, id))).toBe(true);
  });

  it('is good for one purpose, one host and one attempt', () => {
    const state = writeState(key, 'provider1', id);
    expect(readState(key, 'provider2', state)).toBeNull();
    expect(readTicket(key, state)).toBeNull();
    expect(readState(key, 'provider1', writeTicket(key, id))).toBeNull();
    expect(readState(key, 'provider1', `${id}.${proofOf(key, id)}`)).toBeNull();
    expect(readTicket(key, `${id}.${proofOf(key, id)}`)).toBeNull();
    const other = newId('vca');
    expect(readState(key, 'provider1', state.replace(id, other))).toBeNull();
    expect(isProof(key, other, proofOf(key, id))).toBe(false);
    expect(isProof(key, id, state.split('.')[1]!)).toBe(false);
  });

  it('is good with one key only', () => {
    const foreign = Buffer.alloc(32, 2);
    expect(readState(key, 'provider1', writeState(foreign, 'provider1', id))).toBeNull();
    expect(isProof(key, id, proofOf(foreign, id))).toBe(false);
  });

  it.each(['', '.', id, `${id}.`, 'x'.repeat(1900), `${id}.${'A'.repeat(43)}`, `${id}.${'é'.repeat(43)}`])(
    'refuses what was never made here: %s',
    (text) => {
      expect(readState(key, 'provider1', text)).toBeNull();
      expect(readTicket(key, text)).toBeNull();
      expect(isProof(key, id, text)).toBe(false);
    },
  );

  it('notices every altered character', () => {
    const state = writeState(key, 'provider1', id);
    for (let at = 0; at < state.length; at++) {
      const changed = state[at] === 'a' ? 'b' : 'a';
      const altered = state.slice(0, at) + changed + state.slice(at + 1);
      // The last character of a signature has bits that count for nothing; they are compared all the same.
      expect(readState(key, 'provider1', altered), `at ${at}`).toBeNull();
    }
  });

  it('takes no browser without a proof', () => expect(isProof(key, id, null)).toBe(false));
});
