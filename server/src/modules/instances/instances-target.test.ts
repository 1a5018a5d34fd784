import { describe, expect, it } from 'vitest';
import { rotationOf } from './instances-target.ts';
import type { Member } from './member.ts';
import { memberOf } from './testing/member-of.ts';

const rotation = (members: Member[], listed: string[] = []) => rotationOf(members, new Set(listed)).map(({ id }) => id);

describe('who takes requests', () => {
  const [up, unwell, starting] = [memberOf('u', 'up'), memberOf('w', 'unwell'), memberOf('s', 'starting')];
  const [sick, other] = [memberOf('x', 'sick'), memberOf('y', 'sick')];

  it('are the best there are, and never nobody while there is anybody', () => {
    expect(rotation([up, unwell, starting, sick])).toEqual(['u']);
    expect(rotation([unwell, starting, sick])).toEqual(['w']);
    expect(rotation([starting, sick])).toEqual(['s']);
    expect(rotation([sick, other])).toEqual(['x', 'y']);
    expect(rotation([sick, memberOf('n', 'starting', { address: null })])).toEqual(['x']);
  });

  it('are not those that are to go', () => {
    const retirement = { version: null, confirmedAtMs: null };
    expect(rotation([memberOf('r', 'up', { retirement }), sick])).toEqual(['x']);
  });

  it('are those that are not well too, until one that listens is known to be well', () => {
    expect(rotation([memberOf('n', 'up', { hasBeenWell: false }), unwell])).toEqual(['n', 'w']);
    expect(rotation([memberOf('m', 'up', { failedChecks: 1 }), unwell])).toEqual(['m']);
  });

  it('is one that edges were told of before it listens', () => {
    expect(rotation([up, starting], ['s'])).toEqual(['u', 's']);
  });
});
