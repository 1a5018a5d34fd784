import { describe, expect, it } from 'vitest';
import { StreamShares } from './stream-shares.ts';

/** As many as it gets. */
function takeAll(shares: StreamShares, address: string): (() => void)[] {
  const taken: (() => void)[] = [];
  for (let over = shares.take(address); over; over = shares.take(address)) taken.push(over);
  return taken;
}

describe('the streams of an edge', () => {
  it('are never all one client’s, nor all those of several: who comes next gets as much as each of them', () => {
    const shares = new StreamShares(100);
    expect(takeAll(shares, '192.0.2.1')).toHaveLength(50);
    expect(takeAll(shares, '192.0.2.2')).toHaveLength(25);
    const many = new StreamShares(1000);
    for (let round = 0; round < 1000; round++) {
      for (let client = 0; client < 9; client++) many.take(`192.0.2.${client}`);
    }
    const held = many.open / 9;
    expect(takeAll(many, '198.51.100.1').length).toBeGreaterThanOrEqual(Math.floor(held / 2));
    expect(many.open).toBeLessThan(1000);
  });

  it('of a whole network of IPv6, as one customer has it, count together', () => {
    const shares = new StreamShares(100);
    expect(takeAll(shares, '2001:db8::1')).toHaveLength(50);
    expect(shares.take('2001:db8::2')).toBeNull();
    expect(shares.take('2001:db8:0:1::2')).not.toBeNull();
  });

  it('are there again when they are over', () => {
    const shares = new StreamShares(10);
    for (let round = 0; round < 3; round++) {
      const taken = takeAll(shares, '192.0.2.1');
      expect(taken).toHaveLength(5);
      for (const over of taken) over();
      expect(shares.open).toBe(0);
    }
  });
});
