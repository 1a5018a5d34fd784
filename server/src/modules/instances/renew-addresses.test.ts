import { describe, expect, it } from 'vitest';
import { newMember, type Member } from './member.ts';
import { chooseOutdated } from './renew-addresses.ts';

const member = (id: string, changes: Partial<Member> = {}): Member =>
  Object.assign(newMember({ id, deploymentId: 'dep_1', nowMs: 0 }), { condition: 'up' } as const, changes);
const outdated = (id: string, changes: Partial<Member> = {}) => member(id, { isOutdated: true, ...changes });
const isReady = ({ condition }: Member) => condition === 'up';
const chosen = (members: Member[], desired: number) =>
  chooseOutdated(members, { desired, isReady }).map(({ id }) => id);

describe('of the instances that know old addresses', () => {
  it('none goes before another one is up, and then one for each', () => {
    const old = [outdated('a'), outdated('b')];
    expect(chosen([...old, member('c', { condition: 'starting' })], 2)).toEqual([]);
    expect(chosen([...old, member('c')], 2)).toHaveLength(1);
    expect(chosen([...old, member('c'), member('d')], 2)).toEqual(['a', 'b']);
  });

  it('more than are needed go at once, and who serves goes last', () => {
    const slow = outdated('b', { condition: 'starting' });
    expect(chosen([outdated('a'), slow], 1)).toEqual(['b']);
  });

  it('who goes or has ended already does not count', () => {
    const gone = outdated('a', { condition: 'ended' });
    const going = outdated('b', { retirement: { version: null, confirmedAtMs: null } });
    expect(chosen([gone, going, outdated('c')], 1)).toEqual([]);
  });
});
