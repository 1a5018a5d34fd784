import { describe, expect, it } from 'vitest';
import { isMoving, nameAmong, nameDeployment, setAside } from './describe-deployment.ts';

const none = { commit_message: null, commit_sha: null, upload_name: null, started_at: '2026-11-16T07:51:00.000Z' };

describe('nameDeployment', () => {
  it('is the first line of its commit, or the commit where that says nothing', () => {
    expect(nameDeployment({ ...none, commit_message: 'Add a page\n\nLong words.', commit_sha: 'a' })).toBe(
      'Add a page',
    );
    expect(nameDeployment({ ...none, commit_sha: '0123456789' })).toBe('Commit 0123456');
  });

  it('tells one upload of the same archive from another', () => {
    const first = nameDeployment({ ...none, upload_name: 'site.zip' });
    expect(first).toMatch(/^site\.zip, 16 Nov, \d\d:51:00$/);
    expect(nameDeployment({ ...none, upload_name: 'site.zip', started_at: '2026-11-16T07:51:01.000Z' })).not.toBe(
      first,
    );
  });

  it('has a time where nothing else is known yet', () => {
    expect(nameDeployment(none)).toMatch(/^Deployment, 16 Nov, \d\d:51:00$/);
  });
});

describe('nameAmong', () => {
  const one = { ...none, id: 'dep_000001', commit_message: 'Update', commit_sha: 'aaaaaaaa' };

  it('is the name alone where no other has it', () => {
    expect(nameAmong(one, [one, { ...one, id: 'dep_000002', commit_message: 'Other' }])).toBe('Update');
  });

  it('has the commit where two say the same, the time where they are of one commit, and the id at last', () => {
    const other = { ...one, id: 'dep_000002' };
    expect(nameAmong(one, [one, { ...other, commit_sha: 'bbbbbbbb' }])).toBe('Update (aaaaaaa)');
    expect(nameAmong(one, [one, { ...other, started_at: '2026-11-16T07:51:01.000Z' }])).toMatch(
      /^Update \(16 Nov, \d\d:51:00\)$/,
    );
    expect(nameAmong(one, [one, other])).toBe('Update (…000001)');
  });
});

const at = (minute: number, more: object = {}) => ({
  status: 'healthy' as const,
  is_live: false,
  can_rollback: false,
  first_run: null,
  started_at: `2026-11-16T07:0${minute}:00.000Z`,
  ...more,
});

describe('setAside', () => {
  it('is the newest good one where an older one is served', () => {
    expect(setAside([at(3), at(2), at(1, { is_live: true })])).toEqual(at(3));
  });

  it('is nothing where the newest is served, where newer ones failed, and where nothing is served', () => {
    expect(setAside([at(2, { is_live: true }), at(1)])).toBeNull();
    expect(setAside([at(2, { status: 'failed' }), at(1, { is_live: true })])).toBeNull();
    expect(setAside([at(2), at(1)])).toBeNull();
  });
});

describe('isMoving', () => {
  it('is true until it has ended', () => {
    expect((['pending', 'building', 'deploying'] as const).every((status) => isMoving({ status }))).toBe(true);
    expect((['healthy', 'failed', 'cancelled'] as const).some((status) => isMoving({ status }))).toBe(false);
  });
});
