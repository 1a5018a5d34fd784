import { describe, expect, it } from 'vitest';
import type { EdgeReport } from '../../routing/route-store.ts';
import { LoadBoard } from './load-board.ts';

const report = (version: number, requests: number | null, instances: Record<string, number> = {}): EdgeReport => ({
  version,
  load: {
    environments: requests === null ? {} : { env: { inFlight: 1, waiting: 2, requests } },
    instances,
    silent: {},
  },
  isOverdue: false,
});
const overdue = (of: EdgeReport): EdgeReport => ({ ...of, isOverdue: true });
const RETURN_MS = 10_000;
const newBoard = () => new LoadBoard({ returnMs: RETURN_MS });

describe('the board of loads', () => {
  it('adds up what edges say, and what they said at once until a report has it', () => {
    const board = newBoard();
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
    const board = newBoard();
    const isNew = (requests: number | null) => {
      board.replace(new Map([['a', report(1, requests)]]), 0);
      return board.takeNewRequests('env');
    };
    expect([50, 50, 51, 51, null, 51, 52].map(isNew)).toEqual([false, false, true, false, false, false, true]);
    expect(newBoard().takeNewRequests('env')).toBe(false);
  });

  it('takes for silent what one edge has seen often enough, not what several have seen once', () => {
    const board = newBoard();
    const silentAt = (...counts: number[]) => {
      const edges = counts.map((count, n): [string, EdgeReport] => [
        `edge ${n}`,
        { version: 1, load: { environments: {}, instances: {}, silent: { ins: count } }, isOverdue: false },
      ]);
      board.replace(new Map(edges), 0);
      return board.silentAt('ins');
    };
    expect([silentAt(), silentAt(1, 2), silentAt(0, 3)]).toEqual([0, 2, 3]);
    expect(board.silentAt('other')).toBe(0);
  });

  it('takes no edge for idle of which it knows nothing, and waits for the slowest', () => {
    const board = newBoard();
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

  it('believes that there is no edge only when none has come for long', () => {
    const board = newBoard();
    const look = (nowMs: number) => (board.replace(new Map(), nowMs), [board.hasReached(1), board.isSure(nowMs)]);
    expect(board.hasReached(1)).toBe(false);
    expect(look(0)).toEqual([false, false]);
    for (let nowMs = 1000; nowMs < RETURN_MS; nowMs += 1000) expect(look(nowMs)).toEqual([false, false]);
    expect(look(RETURN_MS)).toEqual([true, true]);
  });

  it('waits after an outage for every edge that was there before, and for none for ever', () => {
    const [a, b] = [report(5, null), report(4, null, { ins: 2 })];
    const board = newBoard();
    const look = (nowMs: number, edges: Record<string, EdgeReport>) => {
      board.replace(new Map(Object.entries(edges)), nowMs);
      return [board.hasReached(5), board.busyAt('ins')];
    };
    for (let nowMs = 0; nowMs <= 20_000; nowMs += 1000) look(nowMs, { a, b });
    expect(board.isSure(20_000)).toBe(true);
    expect(board.isSure(60_000)).toBe(false);
    expect(look(60_000, { a: overdue(a), b: overdue(b) })).toEqual([false, 2]);
    expect(look(61_000, { a, b: overdue(b) })).toEqual([false, 2]);
    expect(look(62_000, { a, b: report(5, null, { ins: 1 }) })).toEqual([true, 1]);
    for (let nowMs = 63_000; nowMs <= 69_000; nowMs += 1000) {
      expect(look(nowMs, { a, b: overdue(b) })).toEqual([false, 2]);
    }
    expect(board.gone()).toEqual([]);
    expect(look(70_000, { a, b: overdue(b) })).toEqual([true, 0]);
    expect(board.gone()).toEqual(['b']);
  });

  it('takes requests that came during an outage for new', () => {
    const board = newBoard();
    const look = (nowMs: number, edge: EdgeReport) => {
      board.replace(new Map([['a', edge]]), nowMs);
      return board.takeNewRequests('env');
    };
    look(0, report(1, 7));
    expect(look(60_000, overdue(report(1, 7)))).toBe(false);
    expect(look(61_000, report(1, 9))).toBe(true);
  });
});
