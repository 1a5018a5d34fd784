import { describe, expect, it } from 'vitest';
import { whoMakesRoom } from './who-makes-room.ts';

const quiet = (remoteAddress: string, quietSince: number) => ({ socket: { remoteAddress }, quietSince });
const names = (connections: ReturnType<typeof quiet>[], count: number) =>
  whoMakesRoom(connections, count).map(({ socket, quietSince }) => `${socket.remoteAddress}${quietSince}`);

describe('who makes room', () => {
  it('is the address with the most, its oldest first, until another has as many', () => {
    const connections = [quiet('b', 1), quiet('b', 2), quiet('a', 6), quiet('a', 5), quiet('a', 4), quiet('a', 3)];
    expect(names(connections, 2)).toEqual(['a3', 'a4']);
    expect(names(connections, 3)).toEqual(['a3', 'a4', 'b1']);
    expect(names(connections, 4)).toEqual(['a3', 'a4', 'b1', 'a5']);
  });

  it('is the oldest where everybody has one, and never more than there are', () => {
    const connections = [quiet('a', 3), quiet('b', 1), quiet('c', 2)];
    expect(names(connections, 2)).toEqual(['b1', 'c2']);
    expect(names(connections, 9)).toHaveLength(3);
    expect(names([], 9)).toEqual([]);
  });
});
