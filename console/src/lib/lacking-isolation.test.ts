import { describe, expect, it } from 'vitest';
import { lackingIn } from './lacking-isolation.ts';

describe('lackingIn', () => {
  it('gives what the platform says, sentence by sentence', () => {
    expect(lackingIn({ isolation: { lacking: ['No limit is held.', 'Networks are shared.'] } })).toEqual([
      'No limit is held.',
      'Networks are shared.',
    ]);
  });

  it.each([undefined, {}, { isolation: null }, { isolation: {} }, { isolation: { lacking: 'all' } }])(
    'is nothing for %j',
    (platform) => expect(lackingIn(platform)).toEqual([]),
  );
});
