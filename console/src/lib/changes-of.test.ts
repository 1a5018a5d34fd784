import { describe, expect, it } from 'vitest';
import { changesOf } from './changes-of.ts';

const saved = { name: 'shop', isOn: true, region: null as string | null };

describe('what was changed', () => {
  it('is what differs from what is saved, and nothing else', () => {
    expect(changesOf(saved, { name: 'store', isOn: true })).toEqual({ name: 'store' });
    expect(changesOf<typeof saved>({ ...saved, region: 'eu' }, { region: null })).toEqual({ region: null });
  });

  it('is nothing where it was changed back, or saved by somebody else', () => {
    expect(changesOf(saved, { name: 'shop' })).toEqual({});
    expect(changesOf({ ...saved, name: 'store' }, { name: 'store' })).toEqual({});
  });
});
