import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { kindOf, Outages } from './outages.ts';

const failure = { part: 'site', message: 'read ECONNRESET', startedAt: 0, endedAt: Infinity } as const;
const always = { startedAt: 0, endedAt: Infinity };
const now = () => performance.now();

describe('a request that failed', () => {
  it('is explained by a fault of what it was for, that makes requests fail like this', () => {
    const outages = new Outages();
    outages.open({ what: 'kill-edge', harms: 'edge', disturbs: { site: ['broken'] } });
    expect(outages.explain(failure)).toBe('kill-edge');
    expect(outages.explain({ ...failure, part: 'api' })).toBeUndefined();
    expect(outages.explain({ ...failure, message: '503 asleep' })).toBeUndefined();
  });

  it('is not explained by what came later, or was over before', () => {
    const outages = new Outages();
    outages.open({ what: 'kill-edge', harms: 'edge', disturbs: { site: ['broken'] } }).over();
    expect(outages.explain({ ...failure, startedAt: 0, endedAt: now() - 60_000 })).toBeUndefined();
    expect(outages.explain({ ...failure, startedAt: now() + 60_000, endedAt: now() + 61_000 })).toBeUndefined();
  });

  it('is not explained by a fault that found nobody', () => {
    const outages = new Outages();
    outages.open({ what: 'kill-edge', harms: 'edge', disturbs: { site: ['broken'] } }).withdraw();
    expect(outages.explain(failure)).toBeUndefined();
  });

  it.each([
    ['503 {"message":"The store is away."}', 'unavailable'],
    ['The PUT was answered 503: later', 'unavailable'],
    ['connect ECONNREFUSED 127.0.0.1:80', 'refused'],
    ['fetch failed (UND_ERR_SOCKET: other side closed)', 'broken'],
    ['500 Something went wrong', 'wrong'],
    ['200 site release 7 of another', 'wrong'],
    ['200 server release 7', 'wrong'],
    ['200 server release 503', 'wrong'],
    ['404 There was nobody within 502 ms', 'wrong'],
    ['500 read ECONNRESET', 'wrong'],
    ['The PUT was answered 403: 503 bytes', 'wrong'],
    ['200 site release 7', 'old'],
    ['no answer within 40 s', 'wrong'],
  ] as const)('%s is %s', (message, kind) => {
    expect(kindOf({ part: 'site', message })).toBe(kind);
  });
});

describe('a deployment that failed', () => {
  it('is explained by harm to who runs it', () => {
    const outages = new Outages();
    outages.open({ what: 'kill-instance', harms: 'instances', disturbs: {}, fails: ['server'] });
    expect(outages.explainDeployment('server', always)).toBe('kill-instance');
    expect(outages.explainDeployment('site', always)).toBeUndefined();
  });

  it('is explained by interruptions only where there were as many as it is tried', () => {
    const outages = new Outages();
    const interrupt = () => outages.open({ what: 'kill-worker', harms: 'worker', disturbs: {}, isInterruption: true });
    interrupt();
    interrupt();
    expect(outages.explainDeployment('site', always)).toBeUndefined();
    interrupt();
    expect(outages.explainDeployment('site', always)).toBe('kill-worker, kill-worker, kill-worker');
  });

  it('is not explained by what was over before it was asked for', () => {
    const outages = new Outages();
    outages.open({ what: 'kill-instance', harms: 'instances', disturbs: {}, fails: ['server'] }).over();
    const later = { startedAt: now() + 60_000, endedAt: now() + 61_000 };
    expect(outages.explainDeployment('server', later)).toBeUndefined();
  });
});

describe('a connection that served when it was tried once more, and was refused at first,', () => {
  const refusal = { ...failure, message: 'connect ECONNREFUSED 127.0.0.1:80' };

  it('has failed nobody, and that is explained only by a fault that has connections refused', () => {
    const outages = new Outages();
    outages.open({ what: 'kill-edge', harms: 'edge', disturbs: { site: ['broken'] } });
    outages.noteRetried(refusal);
    expect(outages.count()).toBe(0);
    expect(outages.unexplained()).toEqual([refusal]);
    outages.open({ what: 'kill-supervisor', harms: 'foundation', disturbs: { site: ['refused'] } });
    expect(outages.unexplained()).toEqual([]);
  });

  it('or that was closed under a request, is explained by a fault that breaks connections', () => {
    const outages = new Outages();
    outages.open({ what: 'stop-store', harms: 'foundation', disturbs: { site: ['old'] } });
    outages.noteRetried(failure);
    expect(outages.count()).toBe(0);
    expect(outages.unexplained()).toEqual([failure]);
    outages.open({ what: 'kill-edge', harms: 'edge', disturbs: { site: ['broken'] } });
    expect(outages.unexplained()).toEqual([]);
  });
});

describe('a database that was given up', () => {
  it('is explained where it, or who works at it, was harmed as often as it is tried', () => {
    const outages = new Outages();
    outages.open({ what: 'kill-database', harms: 'databases', disturbs: {} });
    outages.open({ what: 'kill-worker', harms: 'worker', disturbs: {}, isInterruption: true });
    outages.open({ what: 'kill-api', harms: 'api', disturbs: {} });
    expect(outages.explainDatabase(always)).toBeUndefined();
    outages.open({ what: 'kill-database', harms: 'databases', disturbs: {} });
    expect(outages.explainDatabase(always)).toBe('kill-database, kill-worker, kill-database');
    expect(outages.explainDatabase({ startedAt: now() - 60_000, endedAt: now() - 50_000 })).toBeUndefined();
  });
});

describe('how long faults last', () => {
  it.each([
    { other: 'hold-api', harms: 'api', isCounted: true },
    { other: 'kill-store', harms: 'foundation', isCounted: true },
    { other: 'kill-worker', harms: 'worker', isCounted: false },
  ] as const)('counts from the last harm that reached the same part: $other', async ({ other, harms, isCounted }) => {
    const outages = new Outages();
    const first = outages.open({ what: 'kill-api', harms: 'api', disturbs: {} });
    first.harmed();
    await delay(50);
    outages.open({ what: other, harms, disturbs: {} }).harmed();
    first.over();
    const [{ tookMs, wholeMs } = { tookMs: 0, wholeMs: 0 }] = outages.recoveries();
    expect(wholeMs).toBeGreaterThan(40);
    expect(tookMs === wholeMs).toBe(!isCounted);
    expect(tookMs).toBeLessThanOrEqual(wholeMs);
  });

  it('is told only of those that are over', async () => {
    const outages = new Outages();
    const first = outages.open({ what: 'kill-api', harms: 'api', disturbs: {} });
    first.harmed();
    await delay(50);
    const beforeLast = now();
    outages.open({ what: 'kill-store', harms: 'foundation', disturbs: {} }).harmed();
    await delay(5);
    first.over();
    expect(outages.recoveries()).toMatchObject([{ what: 'kill-api' }]);
    expect(outages.recoveries()[0]!.tookMs).toBeGreaterThan(0);
    expect(outages.recoveries()[0]!.tookMs).toBeLessThanOrEqual(now() - beforeLast);
    const told = outages.recoveries();
    // What comes when it is over is none of its business.
    outages.open({ what: 'kill-store', harms: 'foundation', disturbs: {} }).harmed();
    expect(outages.recoveries()).toEqual(told);
  });

  it('tells the share of the time in which a part had no excuse, those together counted once', () => {
    const outages = new Outages();
    outages.open({ what: 'kill-api', harms: 'api', disturbs: { api: ['broken'] } });
    outages.open({ what: 'kill-store', harms: 'foundation', disturbs: { api: ['unavailable'] } });
    const from = now();
    const span = { startedAt: from - 3000, endedAt: from + 1000 };
    const { freeShare, longestMs } = outages.burdenOf('api', span);
    expect(freeShare).toBeCloseTo(0.75, 2);
    expect(longestMs / 1000).toBeCloseTo(1, 1);
    expect(outages.burdenOf('site', span)).toEqual({ freeShare: 1, longestMs: 0 });
  });
});
