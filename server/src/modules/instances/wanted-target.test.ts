import { describe, expect, it } from 'vitest';
import type { RunSpec } from '../../db/run-spec.ts';
import { NO_CRASHES } from './crash-record.ts';
import { instancesTarget } from './instances-target.ts';
import type { Member } from './member.ts';
import { memberOf } from './testing/member-of.ts';
import { wantedTarget } from './wanted-target.ts';

const deployment = { id: 'dep', run: { concurrency: 5 } as RunSpec };
const bounds = { min: 0, max: 3 };
const loop = { ...NO_CRASHES, count: 3 };

function wanted(members: readonly Member[], rest: Partial<Parameters<typeof wantedTarget>[0]> = {}) {
  const usual = { deployment, bounds, members, lost: [], published: null, crashes: NO_CRASHES, desired: 1 };
  return wantedTarget({ ...usual, ...rest });
}

const idsOf = ({ instances }: { instances: readonly { id: string }[] }) => instances.map(({ id }) => id);

describe('what edges are to be told', () => {
  it('is who takes requests, within the bounds, and whose machine is lost', () => {
    expect(wanted([memberOf('a'), memberOf('b', 'sick')], { lost: ['c'] })).toEqual({
      kind: 'instances',
      deploymentId: 'dep',
      instances: [memberOf('a').address],
      concurrency: 5,
      maxInstances: 3,
      lost: ['c'],
      outage: null,
      probe: null,
    });
  });

  it('keeps one in that they were told of before it listens', () => {
    const members = [memberOf('a'), memberOf('s', 'starting')];
    const published = instancesTarget(deployment, bounds, [members[1]!.address!]);
    expect([idsOf(wanted(members)), idsOf(wanted(members, { published }))]).toEqual([['a'], ['a', 's']]);
  });

  it('is that all crash, where they do and nobody answers', () => {
    const starting = [memberOf('s', 'starting')];
    expect(wanted(starting, { crashes: loop })).toMatchObject({ instances: [], outage: 'crashing' });
    expect(wanted([memberOf('d', 'sick', { isDeaf: true })], { crashes: loop }).outage).toBe('crashing');
    expect(wanted(starting, { crashes: { ...loop, count: 2 } }).outage, 'that may be chance').toBeNull();
  });

  it('is no outage while anybody answers, nor of who sleeps', () => {
    for (const served of [memberOf('u'), memberOf('w', 'unwell'), memberOf('x', 'sick')]) {
      expect(wanted([served], { crashes: loop })).toMatchObject({ instances: [served.address], outage: null });
    }
    expect(wanted([], { crashes: loop, desired: 0 }).outage).toBeNull();
  });
});
