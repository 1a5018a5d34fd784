import { describe, expect, it } from 'vitest';
import { paceOf, paceOfAll, paceOfDeployments, paceOfWarnings } from './news-pace.ts';

const isOften = (everyMs: number) => everyMs <= 5000;
const isSeldom = (everyMs: number) => everyMs >= 15_000;

describe('how often a page looks for news', () => {
  it.each(['pending', 'building', 'deploying'] as const)('often while a deployment is %s', (status) => {
    expect(isOften(paceOfDeployments([{ status: 'healthy' }, { status }]))).toBe(true);
  });

  it('seldom where all deployments have ended, and where there is none', () => {
    const ended = (['healthy', 'failed', 'cancelled'] as const).map((status) => ({ status }));
    expect([paceOfDeployments(ended), paceOfDeployments([])].every(isSeldom)).toBe(true);
  });

  it.each(['building', 'deploying', 'deleting'] as const)('often while something is %s', (status) => {
    expect([paceOf({ status }), paceOfAll([{ status: 'healthy' }, { status }])].every(isOften)).toBe(true);
  });

  it.each(['pending', 'healthy', 'degraded', 'failed'] as const)('seldom where it stays %s', (status) => {
    expect([paceOf({ status }), paceOfAll([{ status }]), paceOfAll([])].every(isSeldom)).toBe(true);
  });

  it('often while nothing is known yet', () => {
    expect([paceOf(undefined), paceOfAll(undefined), paceOfDeployments(undefined)].every(isOften)).toBe(true);
  });

  it('once a minute for warnings that are not there, and more often until one that is there has gone', () => {
    expect([paceOfWarnings(undefined), paceOfWarnings([]), paceOfWarnings(['one'])]).toEqual([30_000, 30_000, 15_000]);
  });
});
