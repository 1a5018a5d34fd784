import { describe, expect, it } from 'vitest';
import { LoadBoard, type EdgeReport } from './load-board.ts';

const report = (version: number, requests: number | null, instances: Record<string, number> = {}): EdgeReport => ({
  version,
  load: {
    environments: requests === null ? {} : { env: { inFlight: 1, waiting: 2, requests } },
    instances,
    silent: {},
  },
});

describe('the board of loads', () => {
  it('adds up what edges say, and what they said at once until a report has it', () => {
    const board = new LoadBoard();
    board.replace(
      new Map([
        ['a', report(1, 1)],
        ['b', report(1, 1)],
      ]),
      0,
    );
    expect(board.loadOf('env')).toEqual({ inFlight: 2, waiting: 4 });
    board.note({ environmentId: 'env', edge: 'b', inFlight: 0, waiting: 10 }, 0);
    board.note({ environmentId: 'env', edge: 'new', inFlight: 0, waiting: 1 }, 0);
    expect(board.loadOf('env')).toEqual({ inFlight: 2, waiting: 13 });
    board.replace(new Map([['a', report(1, 1)]]), 1000);
    expect(board.loadOf('env').waiting).toBe(13);
    board.replace(new Map([['a', report(1, 1)]]), 2000);
    expect(board.loadOf('env').waiting).toBe(2);
  });

  it('tells of new requests once, and not of those that were counted before it looked', () => {
    const board = new LoadBoard();
    const isNew = (requests: number | null) => {
      board.replace(new Map([['a', report(1, requests)]]), 0);
      return board.takeNewRequests('env');
    };
    expect([50, 50, 51, 51, null, 51, 52].map(isNew)).toEqual([false, false, true, false, false, false, true]);
    expect(new LoadBoard().takeNewRequests('env')).toBe(false);
  });

  it('takes for silent what one edge has seen often enough, not what several have seen once', () => {
    const board = new LoadBoard();
    const silentAt = (...counts: number[]) => {
      const edges = counts.map((count, n): [string, EdgeReport] => [
        `edge ${n}`,
        { version: 1, load: { environments: {}, instances: {}, silent: { ins: count } } },
      ]);
      board.replace(new Map(edges), 0);
      return board.silentAt('ins');
    };
    expect([silentAt(), silentAt(1, 2), silentAt(0, 3)]).toEqual([0, 2, 3]);
    expect(board.silentAt('other')).toBe(0);
  });

  it('takes no edge for idle of which it knows nothing, and waits for the slowest', () => {
    const board = new LoadBoard();
    expect(board.isKnown).toBe(false);
    board.replace(
      new Map([
        ['a', report(5, null, { ins: 1 })],
        ['b', report(4, null, { ins: 2 })],
      ]),
      0,
    );
    expect([board.hasReached(4), board.hasReached(5), board.busyAt('ins')]).toEqual([true, false, 3]);
  });
});
