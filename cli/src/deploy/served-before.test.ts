import type { Output } from '@lilac/sdk';
import { describe, expect, it } from 'vitest';
import { servedBefore } from './served-before.ts';

type Listed = Output<'deployments.list'>[number];

const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 12, minute)).toISOString();

/** What the list of deployments is after these, a minute each: `1` is deployed, `back 1` is gone back to. */
function listAfter(...steps: string[]): Listed[] {
  const all: Listed[] = [];
  for (const [minute, step] of steps.entries()) {
    const [id, how] = step.split(' ').toReversed() as [string, string?];
    const known = all.find((each) => each.id === id);
    const first_run = known ? (known.first_run ?? { stages: [], completed_at: known.completed_at }) : null;
    const names = how === 'cancelled' ? ['routing'] : ['routing', 'released'];
    const changed = {
      ...(known ?? { id, status: 'healthy', can_rollback: true, started_at: at(minute) }),
      completed_at: at(minute),
      first_run,
      stages: names.map((stage) => ({ stage, started_at: at(minute) })),
    } as Listed;
    all.splice(0, all.length, ...(known ? all.map((each) => (each === known ? changed : each)) : [changed, ...all]));
    if (how !== 'cancelled') for (const each of all) each.is_live = each.id === id;
  }
  return all;
}

describe('what was served before', () => {
  it.each([
    [['1', '2', '3'], '2'],
    [['1', '2', 'back 1', '3'], '1'],
    [['1', '2', '3', 'back 2'], '1'],
    [['1', '2', '3', 'back 2', '4'], '2'],
    [['1', '2', '3', 'back 1', 'back 3'], '1'],
    [['1', '2', '3', 'cancelled 1'], '2'],
    [['1', '2', '3', 'cancelled 1', '4'], '3'],
    [['1', '2', 'back 1'], undefined],
    [['1'], undefined],
  ])('after %j is %s', (steps, expected) => {
    expect(servedBefore(listAfter(...steps))?.id).toBe(expected);
  });

  it('passes over what cannot be served again, and what never was', () => {
    const [live, third, second, first] = listAfter('1', '2', '3', '4') as [Listed, Listed, Listed, Listed];
    const all = [live, { ...third, status: 'failed' as const }, { ...second, can_rollback: false }, first];
    expect(servedBefore(all)?.id).toBe('1');
  });
});
