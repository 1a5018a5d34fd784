import { describe, expect, it } from 'vitest';
import { createFakeClock } from '../testing/fake-clock.ts';
import { clientOf, createRateLimit, RATE_WINDOW_SECONDS } from './rate-limit.ts';

describe('createRateLimit', () => {
  it('counts every address by itself and lets exactly the limit through', () => {
    const count = createRateLimit({ limit: 2, clock: createFakeClock() });
    expect(count('192.0.2.1')).toEqual({ isOver: false, remaining: 1, resetSeconds: 600 });
    expect(count('192.0.2.1').isOver).toBe(false);
    expect(count('192.0.2.1')).toMatchObject({ isOver: true, remaining: 0 });
    expect(count('192.0.2.2').isOver).toBe(false);
  });

  it('begins anew when the window ends, and not before', () => {
    const clock = createFakeClock();
    const count = createRateLimit({ limit: 1, clock });
    count('192.0.2.1');
    clock.advance(RATE_WINDOW_SECONDS * 1000 - 1);
    expect(count('192.0.2.1')).toMatchObject({ isOver: true, resetSeconds: 1 });
    clock.advance(1);
    expect(count('192.0.2.1')).toMatchObject({ isOver: false, resetSeconds: 600 });
  });

  it('remembers a bounded number of clients, forgetting the oldest first', () => {
    const count = createRateLimit({ limit: 1, clock: createFakeClock() });
    count('oldest');
    for (let client = 0; client < 100_000; client++) count(`client ${client}`);
    expect(count('client 99999').isOver).toBe(true);
    expect(count('oldest').isOver).toBe(false);
  });
});

describe('clientOf', () => {
  it.each([
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
    ['2001:db8:1:2:ffff::', '2001:db8:1:2'],
    ['2001:0DB8:0001:0002::1', '2001:db8:1:2'],
    ['2001:db8::1', '2001:db8:0:0'],
    ['::1', '0:0:0:0'],
    ['fe80::1%eth0', 'fe80:0:0:0'],
  ])('%s belongs to the client %s', (address, client) => expect(clientOf(address)).toBe(client));
});
