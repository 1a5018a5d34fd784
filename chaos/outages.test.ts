import { describe, expect, it } from 'vitest';
import { kindOf, Outages } from './outages.ts';

const failure = { part: 'site', message: 'read ECONNRESET', startedAt: 0, endedAt: Infinity } as const;

describe('a request that failed', () => {
  it('is explained by a fault of what it was for, that makes requests fail like this', () => {
    const outages = new Outages();
    outages.open({ what: 'kill-edge', parts: ['site'], excuses: ['broken'] });
    expect(outages.explain(failure)).toBe('kill-edge');
    expect(outages.explain({ ...failure, part: 'api' })).toBeUndefined();
    expect(outages.explain({ ...failure, message: '503 asleep' })).toBeUndefined();
  });

  it('is not explained by what came later, or was over before', () => {
    const outages = new Outages();
    outages.open({ what: 'kill-edge', parts: ['site'], excuses: ['broken'] }).over();
    const now = performance.now();
    expect(outages.explain({ ...failure, startedAt: 0, endedAt: now - 60_000 })).toBeUndefined();
    expect(outages.explain({ ...failure, startedAt: now + 60_000, endedAt: now + 61_000 })).toBeUndefined();
  });

  it.each([
    ['503 {"message":"The store is away."}', 'unavailable'],
    ['connect ECONNREFUSED 127.0.0.1:80', 'refused'],
    ['fetch failed (UND_ERR_SOCKET: other side closed)', 'broken'],
    ['500 Something went wrong', 'wrong'],
    ['200 release 7 of another', 'wrong'],
    ['no answer within 40 s', 'wrong'],
  ] as const)('%s is %s', (message, kind) => {
    expect(kindOf(message)).toBe(kind);
  });
});
