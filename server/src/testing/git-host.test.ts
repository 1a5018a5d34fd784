import { describe, expect, it } from 'vitest';
import { startGitHost, type GitPush } from './git-host.ts';
import { cloneBranches, pushCommit, pushDeletion } from './git-push.ts';

const alice = { username: 'alice', password: 'secret' };

describe('the git host of the tests', () => {
  it('receives pushes of those whom it admits, and tells what they changed', async () => {
    const pushes: GitPush[] = [];
    await using host = await startGitHost({
      admit: ({ wants, credential }) => wants === 'read' || credential?.password === 'secret',
      onPush: (push) => void pushes.push(push),
    });
    const first = await host.createRepository('alice/site', { a: 'one' });
    const target = { url: `${host.url}/alice/site.git`, credential: alice };
    const second = await pushCommit(target, { files: { a: 'two' } });
    const other = await pushCommit(target, { branch: 'feat/x', files: { b: 'three' } });
    await pushDeletion(target, 'feat/x');
    expect(pushes.map(({ name, changes }) => [name, ...changes])).toEqual([
      ['alice/site', { ref: 'refs/heads/main', before: first, after: second }],
      ['alice/site', { ref: 'refs/heads/feat/x', before: null, after: other }],
      ['alice/site', { ref: 'refs/heads/feat/x', before: other, after: null }],
    ]);
    expect(await cloneBranches({ ...target, credential: null })).toEqual({ main: second });
    await expect(pushCommit({ ...target, credential: null }, { files: { a: 'x' } })).rejects.toThrow('git push');
    expect(pushes).toHaveLength(3);
  });

  it('takes no push where nobody was named who may', async () => {
    await using host = await startGitHost();
    const sha = await host.createRepository('alice/site', { a: 'one' });
    const target = { url: `${host.url}/alice/site.git`, credential: alice };
    await expect(pushCommit(target, { files: { a: 'two' } })).rejects.toThrow('git push');
    expect(await cloneBranches(target)).toEqual({ main: sha });
  });
});
