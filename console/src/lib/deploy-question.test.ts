import { describe, expect, it } from 'vitest';
import { isSameQuestion, questionBefore } from './deploy-question.ts';
import type { Deployment } from './describe-deployment.ts';

const at = (minute: number, more: Partial<Deployment> = {}) =>
  ({
    id: `dep_${minute}`,
    status: 'healthy',
    is_live: false,
    can_rollback: true,
    upload_name: 'site.zip',
    started_at: `2026-11-16T07:0${minute}:00.000Z`,
    stages: [],
    first_run: null,
    ...more,
  }) as Deployment;

const live = { is_live: true };
const ask = (deployments: Deployment[], asksOfArchive = true) => questionBefore({ deployments, asksOfArchive });

describe('what is asked before a deployment', () => {
  it('of a branch is nothing, unless it undoes a rollback', () => {
    const ofBranch = { upload_name: null };
    expect(ask([at(2, { ...ofBranch, ...live }), at(1, ofBranch)], false)).toBeNull();
    expect(ask([at(2, ofBranch), at(1, { ...ofBranch, ...live })], false)?.kind).toBe('rollback');
  });

  it('of an archive is whether to build the last one once more, also where that failed', () => {
    const failed = at(3, { status: 'failed', can_rollback: false });
    expect(ask([failed, at(2, live), at(1)])).toEqual({ kind: 'archive', archive: failed });
    expect(ask([])).toEqual({ kind: 'archive', archive: null });
  });

  it('is first of all that a rollback is undone', () => {
    expect(ask([at(2), at(1, live)])?.kind).toBe('rollback');
  });
});

describe('an answer', () => {
  it('is good for as long as the same would be built and undone', () => {
    const before = ask([at(1, live)]);
    expect(isSameQuestion(before, ask([at(1, live)]))).toBe(true);
    expect(isSameQuestion(before, ask([at(2, live), at(1)]))).toBe(false);
    expect(isSameQuestion(before, ask([at(2), at(1, live)]))).toBe(false);
    expect(isSameQuestion(ask([at(2), at(1, live)]), ask([at(2), at(1, live)]))).toBe(true);
    expect(isSameQuestion(before, null)).toBe(false);
    expect(isSameQuestion(null, null)).toBe(true);
  });
});
