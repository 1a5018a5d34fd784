import { describe, expect, it } from 'vitest';
import type { Deployment } from './describe-deployment.ts';
import { rollbackOf } from './rollback.ts';

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
    expect(rollbackOf(list)).toEqual({ live: list[3], newer: list[1], nextArchive: list[0] });
  });

  it('of a repository has no archive', () => {
    const [newer, live] = [at(2, { upload_name: null }), at(1, { upload_name: null, is_live: true })];
    expect(rollbackOf([newer, live])).toEqual({ live, newer, nextArchive: null });
  });

  it('is there as soon as somebody goes back, and stays when what was left could not be served again', () => {
    const again = { first_run: { stages: [], completed_at: '2026-11-16T07:01:30.000Z' } };
    const [newest, goal] = [at(2, { is_live: true }), at(1, { status: 'deploying', ...again })];
    expect(rollbackOf([newest, goal])).toMatchObject({ live: goal, newer: newest });
    const [failed, live] = [at(2, { status: 'failed', can_rollback: false, ...again }), at(1, { is_live: true })];
    expect(rollbackOf([failed, live])).toMatchObject({ live, newer: failed });
  });

  it('is nothing where the newest good one is served', () => {
    expect(rollbackOf([at(2, { status: 'failed', can_rollback: false }), at(1, { is_live: true })])).toBeNull();
    expect(rollbackOf([])).toBeNull();
  });
});
