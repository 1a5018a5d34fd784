import { describe, expect, it } from 'vitest';
import type { Finding } from './examine-member.ts';
import { ailmentOf, chooseIncurable, isDispensable, noteFinding } from './health.ts';
import { isCapacity, isWell, newMember, type Member } from './member.ts';

const timing = { sickMs: 60, startWithinMs: 100 };
const NOW = 1000;

function memberOf(id: string, rest: Partial<Member> = {}): Member {
  const known = newMember({ id, deploymentId: 'dep', nowMs: 0 });
  return Object.assign(known, { condition: 'up', hasBeenWell: true, ...rest });
}
const unwell = (id: string, sinceMs: number, rest: Partial<Member> = {}) =>
  memberOf(id, { condition: 'unwell', sinceMs, ailment: '/h answered with status 500', ...rest });
const sick = (id: string) => memberOf(id, { condition: 'sick', ailment: 'it does not answer requests' });
const unknown = (id: string) => memberOf(id, { hasBeenWell: false });
const others = (...conditions: Member['condition'][]) => conditions.map((condition) => memberOf('o', { condition }));
const look = (member: Member, ...findings: Finding[]) =>
  findings.map((finding) => (member.condition = noteFinding(member, finding)));
const choose = (...members: Member[]) => {
  const { goes, isSpare } = chooseIncurable(members, { nowMs: NOW, timing });
  return [goes?.id ?? null, isSpare?.id ?? null];
};

describe('a look at an instance', () => {
  const good = { kind: 'well' } as const;
  const bad = { kind: 'unwell', ailment: 'x' } as const;
  const hung = { kind: 'hung', ailment: 'y' } as const;

  it('makes it ill, or well again, only the second time in a row', () => {
    const member = memberOf('a');
    expect(look(member, bad, good, bad, bad)).toEqual(['up', 'up', 'up', 'unwell']);
    expect(look(member, good, bad, good, hung)).toEqual(['unwell', 'unwell', 'unwell', 'sick']);
    expect(look(member, good, good, hung, hung)).toEqual(['sick', 'up', 'up', 'sick']);
    expect(member.ailment).toBe('y');
  });

  it('leaves one that is well what it is, when it finds something once', () => {
    const member = unknown('a');
    expect(isWell(member)).toBe(false);
    look(member, good);
    expect(isWell(member)).toBe(true);
    look(member, bad);
    expect(isWell(member)).toBe(true);
    look(member, bad, good);
    expect(isWell(member)).toBe(false);
  });

  it('tells one that takes no connection from one that does not answer', () => {
    const member = memberOf('a');
    look(member, { kind: 'deaf', ailment: 'z' }, { kind: 'deaf', ailment: 'z' });
    expect([member.condition, member.isDeaf]).toEqual(['sick', true]);
    look(member, hung);
    expect([member.condition, member.isDeaf]).toEqual(['sick', false]);
  });
});

describe('who has been unwell for too long', () => {
  it('goes when somebody is well, the oldest first; not before its time', () => {
    const well = memberOf('w');
    expect(choose(well, unwell('a', 930), unwell('b', 900))).toEqual(['b', null]);
    expect(choose(well, unwell('a', 950))).toEqual([null, null]);
    expect(choose(well, unwell('a', 930, { hasBeenWell: false }))).toEqual([null, null]);
    expect(choose(well, unwell('a', 890, { hasBeenWell: false }))).toEqual(['a', null]);
  });

  it('stays when it was just found to be well', () => {
    expect(choose(memberOf('w'), unwell('a', 900, { passedChecks: 1 }))).toEqual([null, null]);
  });

  it('stays when nobody is, with one started beside it, until that one is known', () => {
    const spare = unwell('a', 900, { isSpare: true });
    expect(choose(unwell('a', 900), unwell('b', 910))).toEqual([null, 'a']);
    expect(choose(spare)).toEqual([null, null]);
    for (const condition of ['starting', 'up'] as const)
      expect(choose(spare, unwell('b', 910), memberOf('c', { condition, hasBeenWell: false }))).toEqual([null, null]);
    expect(choose(spare, unwell('b', 910), unwell('c', 990))).toEqual([null, null]);
    expect(choose(spare, unwell('b', 910), unwell('c', 930))).toEqual(['a', 'b']);
    expect(choose(spare, memberOf('c'))).toEqual(['a', null]);
    expect([isCapacity(spare), isCapacity(unwell('b', 910))]).toEqual([false, true]);
  });
});

it('one that does not answer may go when another one has listened', () => {
  const hung = sick('a');
  expect(isDispensable(hung, [hung])).toBe(false);
  expect(isDispensable(hung, [hung, ...others('starting', 'ended')])).toBe(false);
  for (const condition of ['up', 'unwell', 'sick'] as const)
    expect(isDispensable(hung, [hung, ...others(condition)])).toBe(true);
});

describe('what is wrong', () => {
  it('is told when nobody is well', () => {
    expect(ailmentOf([unwell('a', 0), unknown('b')])).toContain('/h answered with status 500');
    expect(ailmentOf([unwell('a', 0), memberOf('b')])).toBeNull();
    expect(ailmentOf([sick('a'), memberOf('b', { condition: 'starting' })])).toContain('it does not answer requests');
    expect(ailmentOf([sick('a'), unknown('b')])).toBeNull();
    expect(ailmentOf([memberOf('b', { condition: 'starting' })])).toBeNull();
  });
});
