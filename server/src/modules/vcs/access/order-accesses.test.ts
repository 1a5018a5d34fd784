import { describe, expect, it } from 'vitest';
import { orderAccesses } from './order-accesses.ts';

const accesses = [
  { id: '1', accountLogin: 'other' },
  { id: '2', accountLogin: 'Acme' },
  { id: '3', accountLogin: 'third' },
];
const idsFor = (owner: string, lastId?: string) => orderAccesses(accesses, { owner, lastId }).map(({ id }) => id);

describe('which access is asked first', () => {
  it('is that of the account, however it is spelled, and of the first of nested groups', () => {
    expect(idsFor('acme')).toEqual(['2', '1', '3']);
    expect(idsFor('ACME/inner/deeper')).toEqual(['2', '1', '3']);
    expect(idsFor('nobody')).toEqual(['1', '2', '3']);
  });

  it('is what reached it last, as long as it is among them', () => {
    expect(idsFor('acme', '3')).toEqual(['3', '2', '1']);
    expect(idsFor('acme', 'gone')).toEqual(['2', '1', '3']);
  });
});
