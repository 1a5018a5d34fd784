import { expect, it } from 'vitest';
import { plainText } from './printable.ts';

it('leaves nothing that a terminal obeys, nor what turns the order of letters around', () => {
  expect(plainText('https://a.org/\u001b[2J\u202Emoc.live\u2066x\u0007')).toBe('https://a.org/moc.livex');
});
