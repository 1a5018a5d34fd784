import { describe, expect, it } from 'vitest';
import { sha256 } from '../../lib/hash.ts';
import { judgeRefusedRefresh, REFRESH_GRACE_MS, type RefusedRefreshToken } from './session.ts';

describe('judgeRefusedRefresh', () => {
  const usedAt = new Date(1_000_000);
  const after = (milliseconds: number) => new Date(usedAt.getTime() + milliseconds);
  const used: RefusedRefreshToken = {
    usedAt,
    usedWithKey: sha256('call 1'),
    sessionRevokedAt: null,
  };
  const judge = (token: RefusedRefreshToken, ms: number, key: string | null = null) =>
    judgeRefusedRefresh(token, { now: after(ms), idempotencyKeyHash: key === null ? null : sha256(key) });

  it('takes a second use within the grace for another tab', () => {
    expect(judge(used, REFRESH_GRACE_MS)).toBe('simultaneous');
    expect(judge(used, 0, 'call 2')).toBe('simultaneous');
    expect(judge({ ...used, usedWithKey: null }, 0, 'call 1')).toBe('simultaneous');
  });

  it('takes the same call again for a lost answer, within the grace', () => {
    expect(judge(used, REFRESH_GRACE_MS, 'call 1')).toBe('retry');
    expect(judge(used, REFRESH_GRACE_MS + 1, 'call 1')).toBe('stolen');
  });

  it('takes a second use after the grace for theft', () => {
    expect(judge(used, REFRESH_GRACE_MS + 1)).toBe('stolen');
  });

  it('has nothing to revoke in a session that is over', () => {
    expect(judge({ ...used, sessionRevokedAt: usedAt }, REFRESH_GRACE_MS + 1)).toBe('dead');
    expect(judge({ ...used, usedAt: null }, 0)).toBe('dead');
  });
});
