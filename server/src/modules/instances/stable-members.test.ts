import { describe, expect, it } from 'vitest';
import type { Member } from './member.ts';
import { judgeStability } from './stable-members.ts';
import { memberOf } from './testing/member-of.ts';

const STABLE_MS = 1000;

function judge(members: readonly Member[], { desired = members.length, nowMs = STABLE_MS } = {}) {
  const { newlyStable, isEnough } = judgeStability(members, { desired, nowMs, stableMs: STABLE_MS });
  return { newlyStable: newlyStable.map(({ id }) => id), isEnough };
}

const late = memberOf('late', 'up', { startedAtMs: 500 });
const known = memberOf('known', 'up', { isStable: true });

describe('who proves that a deployment stays up', () => {
  it('is one that has been well for long enough, and is named once', () => {
    expect(judge([memberOf('a')], { nowMs: STABLE_MS - 1 }).newlyStable).toEqual([]);
    expect(judge([memberOf('a'), late, known]).newlyStable).toEqual(['a']);
  });

  it('is nobody who is ill, was never well, or is to go', () => {
    const retirement = { version: null, confirmedAtMs: null };
    const others = [
      memberOf('ill', 'unwell'),
      memberOf('sick', 'sick'),
      memberOf('new', 'starting'),
      memberOf('unseen', 'up', { hasBeenWell: false }),
      memberOf('going', 'up', { retirement }),
      memberOf('spare', 'up', { isSpare: true }),
    ];
    expect(judge(others)).toEqual({ newlyStable: [], isEnough: false });
  });

  it('is all of them, where there are as many as there should be', () => {
    expect(judge([known, memberOf('a')]).isEnough).toBe(true);
    expect(judge([known, late]).isEnough, 'one has yet to').toBe(false);
    expect(judge([known], { desired: 2 }).isEnough, 'one is missing').toBe(false);
    expect(judge([], { desired: 0 }).isEnough, 'nobody proves nothing').toBe(false);
  });
});
