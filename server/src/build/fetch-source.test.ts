import { mkdtempSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ObjectStore } from '../objects/object-store.ts';
import { startGitHost } from '../testing/git-host.ts';
import { createGitSubject } from '../vcs/git/testing/git-subject.ts';
import { fetchSource, type FetchOptions } from './fetch-source.ts';

const objects = {} as ObjectStore;

describe('fetching a repository', () => {
  it('tells the commit once, also when its files are refused', async () => {
    await using host = await startGitHost();
    using subject = createGitSubject(host);
    const sha = await host.createRepository('evil/link', { a: { link: '/etc/passwd' } });
    const { options, commits, folder } = fetching(subject, 'evil/link');
    const fetched = fetchSource({ gitSources: subject.sources, objects }, options);
    await expect(fetched).rejects.toMatchObject({ code: 'VA003' });
    expect(commits).toEqual([{ sha, message: 'First commit' }]);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('stops before anything is written when it is no longer wanted', async () => {
    await using host = await startGitHost();
    using subject = createGitSubject(host);
    await host.createRepository('acme/site', { 'index.html': 'x' });
    const stopping = new AbortController();
    const { options, folder } = fetching(subject, 'acme/site', {
      signal: stopping.signal,
      onCommit: () => stopping.abort(new Error('cancelled')),
    });
    await expect(fetchSource({ gitSources: subject.sources, objects }, options)).rejects.toThrow('cancelled');
    expect(readdirSync(folder)).toEqual([]);
  });
});

function fetching(
  subject: ReturnType<typeof createGitSubject>,
  name: string,
  { signal = new AbortController().signal, onCommit = () => {} } = {},
) {
  const folder = mkdtempSync(join(subject.folder, 'fetched-'));
  const commits: { sha: string; message: string }[] = [];
  const hooks: FetchOptions['hooks'] = {
    onLine: () => {},
    onCommit: async (commit) => {
      commits.push(commit);
      onCommit();
    },
  };
  const source = { kind: 'git', repository: subject.repository(name), branch: 'main' } as const;
  const options: FetchOptions = { source, folder, signal, hooks };
  return { options, commits, folder };
}
