import { describe, expect, it } from 'vitest';
import type { Deployment } from './describe-deployment.ts';
import { isSameRollback, rollbackOf, underWay } from './rollback.ts';

const at = (minute: number, more: Partial<Deployment> = {}): Deployment => ({
  id: `dep_${minute}`,
  environment_id: 'env_1',
  status: 'healthy',
  deployment_stage: 'released',
  commit_sha: null,
  commit_message: null,
  upload_name: 'site.zip',
  error: null,
  is_live: false,
  can_rollback: true,
  started_at: `2026-11-16T07:0${minute}:00.000Z`,
  completed_at: null,
  stages: [],
  first_run: null,
  ...more,
});

describe('rollbackOf', () => {
  it('tells what is served, what was set aside, and whose archive would be built next', () => {
    const list = [at(4, { status: 'failed', can_rollback: false }), at(3), at(2), at(1, { is_live: true })];
    expect(rollbackOf(list)).toEqual({ wanted: list[3], until: null, newer: list[1], nextArchive: list[0] });
  });

  it('of a repository has no archive', () => {
    const [newer, live] = [at(2, { upload_name: null }), at(1, { upload_name: null, is_live: true })];
    expect(rollbackOf([newer, live])).toEqual({ wanted: live, until: null, newer, nextArchive: null });
  });

  it('is there as soon as somebody goes back, with what is served until then, and stays when what was left could not be served again', () => {
    const again = { first_run: { stages: [], completed_at: '2026-11-16T07:01:30.000Z' } };
    const [newest, goal] = [at(2, { is_live: true }), at(1, { status: 'deploying', ...again })];
    expect(rollbackOf([newest, goal])).toMatchObject({ wanted: goal, until: newest, newer: newest });
    const [failed, live] = [at(2, { status: 'failed', can_rollback: false, ...again }), at(1, { is_live: true })];
    expect(rollbackOf([failed, live])).toMatchObject({ wanted: live, until: null, newer: failed });
  });

  it('is nothing where the newest good one is served', () => {
    expect(rollbackOf([at(2, { status: 'failed', can_rollback: false }), at(1, { is_live: true })])).toBeNull();
    expect(rollbackOf([])).toBeNull();
  });
});

const begun = (began: string): Partial<Deployment> => ({
  status: 'deploying',
  first_run: { stages: [], completed_at: null },
  stages: [{ stage: 'starting', started_at: began }],
});

describe('underWay', () => {
  it('is the one of two that was asked for last, whichever was built last', () => {
    const [sooner, later] = ['2026-11-16T08:00:00.000Z', '2026-11-16T08:00:01.000Z'];
    const live = at(3, { is_live: true });
    expect(underWay([live, at(2, begun(sooner)), at(1, begun(later))])?.id).toBe('dep_1');
    expect(underWay([live, at(2, begun(later)), at(1, begun(sooner))])?.id).toBe('dep_2');
  });

  it('is not what is built for the first time', () => {
    expect(underWay([at(2, { status: 'building' }), at(1, { is_live: true })])).toBeUndefined();
  });
});

describe('isSameRollback', () => {
  const [d4, d2, d1] = [at(4), at(2), at(1)];
  const live = { is_live: true };
  const onItsWay = begun('2026-11-16T08:00:00.000Z');
  const toSecond = rollbackOf([d4, at(2, live), d1]);

  it('tells one from another that goes further, and from none', () => {
    expect(isSameRollback(toSecond, rollbackOf([d4, d2, at(1, live)]))).toBe(false);
    expect(isSameRollback(toSecond, rollbackOf([d4, at(2, live), at(1, onItsWay)]))).toBe(false);
    expect(isSameRollback(toSecond, null)).toBe(false);
  });

  it('does not mind that what was under way is served now', () => {
    expect(isSameRollback(toSecond, rollbackOf([at(4, live), at(2, onItsWay), d1]))).toBe(true);
    expect(isSameRollback(null, null)).toBe(true);
  });
});
