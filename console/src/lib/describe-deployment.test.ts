import { describe, expect, it } from 'vitest';
import { isMoving, nameDeployment } from './describe-deployment.ts';

describe('a deployment', () => {
  it.each([
    ['Mend the door\n\nIt squeaked.', 'abcdef0123', 'Mend the door'],
    [' \n', 'abcdef0123', 'Commit abcdef0'],
    [null, 'abcdef0123', 'Commit abcdef0'],
    [null, null, 'Deployment'],
  ])('with the message %j of %s is called %s', (commit_message, commit_sha, name) => {
    expect(nameDeployment({ commit_message, commit_sha })).toBe(name);
  });

  it('is under way until it has ended in one way or the other', () => {
    const statuses = ['pending', 'building', 'deploying', 'healthy', 'failed', 'cancelled'] as const;
    expect(statuses.filter((status) => isMoving({ status }))).toEqual(['pending', 'building', 'deploying']);
  });
});
