import { describe, expect, it } from 'vitest';
import { ailmentOf, chooseIncurable, noteFinding } from './health.ts';
import { isCapacity, newMember, type Member } from './member.ts';

const timing = { sickMs: 60, startWithinMs: 100 };
const NOW = 1000;

function memberOf(id: string, rest: Partial<Member> = {}): Member {
  const known = newMember({ id, deploymentId: 'dep', nowMs: 0 });
  return Object.assign(known, { condition: 'up', hasBeenWell: true, ...rest });
}
const unwell = (id: string, sinceMs: number, rest: Partial<Member> = {}) =>
  memberOf(id, { condition: 'unwell', sinceMs, ailment: '/h answered with status 500', ...rest });
const choose = (...members: Member[]) => {
  const { goes, isSpare } = chooseIncurable(members, { nowMs: NOW, timing });
  return [goes?.id ?? null, isSpare?.id ?? null];
};

describe('a look at an instance', () => {
  const bad = { kind: 'unwell', ailment: 'x' } as const;
  const mute = { kind: 'mute', ailment: 'y' } as const;

  it('makes it ill the second time that it is not well, and well the first time that it is', () => {
    const member = memberOf('a');
    expect(noteFinding(member, bad)).toBe('up');
    expect(noteFinding(member, bad)).toBe('unwell');
    member.condition = 'unwell';
    expect(noteFinding(member, mute)).toBe('sick');
    expect(noteFinding(member, { kind: 'well' })).toBe('up');
    member.condition = 'up';
    expect(noteFinding(member, mute)).toBe('up');
    expect(noteFinding(member, mute)).toBe('sick');
    expect(member.ailment).toBe('y');
  });
});

describe('who has been unwell for too long', () => {
  it('goes when somebody is well, the oldest first; not before its time', () => {
    const well = memberOf('w', { isWell: true });
    expect(choose(well, unwell('a', 930), unwell('b', 900))).toEqual(['b', null]);
    expect(choose(well, unwell('a', 950))).toEqual([null, null]);
    expect(choose(well, unwell('a', 930, { hasBeenWell: false }))).toEqual([null, null]);
    expect(choose(well, unwell('a', 890, { hasBeenWell: false }))).toEqual(['a', null]);
  });

  it('stays when nobody is, with one started beside it, until that one is known', () => {
    const spare = unwell('a', 900, { isSpare: true });
    expect(choose(unwell('a', 900), unwell('b', 910))).toEqual([null, 'a']);
    expect(choose(spare)).toEqual([null, null]);
    for (const condition of ['starting', 'up'] as const)
      expect(choose(spare, unwell('b', 910), memberOf('c', { condition }))).toEqual([null, null]);
    expect(choose(spare, unwell('b', 910), unwell('c', 990))).toEqual([null, null]);
    expect(choose(spare, unwell('b', 910), unwell('c', 930))).toEqual(['a', 'b']);
    expect(choose(spare, memberOf('c', { isWell: true }))).toEqual(['a', null]);
    expect([isCapacity(spare), isCapacity(unwell('b', 910))]).toEqual([false, true]);
  });
});

describe('what is wrong', () => {
  it('is told when nobody is well', () => {
    expect(ailmentOf([unwell('a', 0), memberOf('b')])).toContain('/h answered with status 500');
    expect(ailmentOf([unwell('a', 0), memberOf('b', { isWell: true })])).toBeNull();
    expect(ailmentOf([memberOf('b'), memberOf('c', { condition: 'sick' })])).toBeNull();
  });
});
