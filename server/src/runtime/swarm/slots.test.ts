import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countSlots, countSpares, lowerReplicas } from './slots.ts';
import type { SwarmTask } from './swarm-tasks.ts';

let count = 0;
const task = (slot: number, state: string, changes: Partial<SwarmTask> & { at?: number } = {}): SwarmTask => ({
  ID: `task${count++}`,
  ServiceID: 'service',
  Slot: slot,
  NodeID: 'a',
  DesiredState: ['running', 'preparing', 'pending'].includes(state) ? 'running' : 'shutdown',
  Status: { State: state, Timestamp: new Date(changes.at ?? 0).toISOString() },
  ...changes,
});

describe('slots of a service', () => {
  it('are counted as Swarm does: those that hold a task or will, and those whose last task ended well', () => {
    expect(countSlots([task(1, 'running'), task(2, 'complete'), task(3, 'failed')])).toBe(2);
    expect(countSlots([task(1, 'failed'), task(1, 'ready', { DesiredState: 'ready', NodeID: '' })])).toBe(1);
    expect(countSlots([task(1, 'complete', { at: 1 }), task(1, 'shutdown', { at: 2 })])).toBe(0);
    expect(countSlots([task(1, 'shutdown', { at: 1 }), task(1, 'complete', { at: 2 })])).toBe(1);
  });

  it('are spare when nobody has claimed what they hold, or will hold', () => {
    const claimed = task(1, 'running');
    const failed = task(2, 'failed', { DesiredState: 'running' });
    const claims = new Set([claimed.ID, failed.ID]);
    expect(countSpares([claimed], claims)).toBe(0);
    expect(countSpares([claimed, task(2, 'running')], claims)).toBe(1);
    expect(countSpares([claimed, failed], claims)).toBe(1);
    expect(countSpares([task(2, 'failed'), task(2, 'new', { DesiredState: 'ready' })], claims)).toBe(1);
    expect(countSpares([task(2, 'complete', { DesiredState: 'running' }), task(3, 'complete')], claims)).toBe(0);
  });

  it('are not lowered while any of them is about to begin, or is being made', () => {
    const ended = [2, 3, 4, 5].map((slot) => task(slot, 'complete'));
    expect(lowerReplicas(5, [task(1, 'running'), ...ended])).toBe(2);
    expect(lowerReplicas(5, [task(1, 'preparing'), ...ended])).toBe(5);
    expect(lowerReplicas(5, [task(1, 'failed'), task(1, 'new', { DesiredState: 'ready' }), ...ended])).toBe(5);
    expect(lowerReplicas(6, [task(1, 'running'), ...ended])).toBe(6);
    expect(lowerReplicas(4, ended)).toBe(0);
  });
});

/** What became of a slot between our look and Swarm's. */
type Fate = { kind: 'stays' } | { kind: 'ends well' } | { kind: 'begins anew'; nodeId: string };
interface Lot {
  isRunning: boolean;
  nodeId: string;
  fate: Fate;
  luck: number;
}

const nodeId = fc.constantFrom('a', 'b', 'c', 'd');
const fate: fc.Arbitrary<Fate> = fc.oneof(
  { weight: 4, arbitrary: fc.constant<Fate>({ kind: 'stays' }) },
  { weight: 1, arbitrary: fc.constant<Fate>({ kind: 'ends well' }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('begins anew' as const), nodeId: fc.oneof(nodeId, fc.constant('')) }),
  },
);
const lots = fc.array(
  fc.record({ isRunning: fc.boolean(), nodeId, fate, luck: fc.double({ min: 0, max: 1, noNaN: true }) }),
  {
    maxLength: 30,
  },
);

/** Swarm's `reconcile` of a replicated service, with its preference among equals left to luck. */
function removedBySwarm(all: readonly Lot[], replicas: number): Lot[] {
  const now = all.map((lot) => {
    if (!lot.isRunning || lot.fate.kind === 'stays') return { lot, isRunning: lot.isRunning, at: lot.nodeId };
    return { lot, isRunning: false, at: lot.fate.kind === 'begins anew' ? lot.fate.nodeId : lot.nodeId };
  });
  const copies = new Map<string, number>();
  const placed = now
    .toSorted((a, b) => Number(b.isRunning) - Number(a.isRunning) || a.lot.luck - b.lot.luck)
    .map(({ lot, isRunning, at }) => {
      if (at === '') return { lot, isRunning, index: Infinity };
      copies.set(at, (copies.get(at) ?? 0) + 1);
      return { lot, isRunning, index: copies.get(at)! };
    })
    // The worst luck: of equals it is the running ones that go.
    .toSorted((a, b) => a.index - b.index || Number(a.isRunning) - Number(b.isRunning));
  return placed.slice(replicas).flatMap(({ lot, isRunning }) => (isRunning ? [lot] : []));
}

const tasksOf = (all: readonly Lot[]) =>
  all.map(({ isRunning, nodeId: NodeID }, index) => task(index + 1, isRunning ? 'running' : 'complete', { NodeID }));

describe('a number that is lowered', () => {
  it('never has Swarm remove a slot that runs, whatever fails meanwhile and whichever it prefers of equals', () => {
    fc.assert(
      fc.property(lots, (all) => {
        expect(removedBySwarm(all, lowerReplicas(all.length, tasksOf(all)))).toEqual([]);
      }),
      { numRuns: 2000 },
    );
  });

  it('leaves no more than twice as many slots as the fullest machine would fill on all', () => {
    fc.assert(
      fc.property(lots, (all) => {
        const running = all.filter(({ isRunning }) => isRunning);
        const most = Math.max(0, ...[...Map.groupBy(running, (lot) => lot.nodeId).values()].map((some) => some.length));
        const left = lowerReplicas(all.length, tasksOf(all));
        expect(left).toBeGreaterThanOrEqual(running.length);
        expect(left).toBeLessThanOrEqual(most * 4 * 2);
      }),
    );
  });
});
