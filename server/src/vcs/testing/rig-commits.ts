import type { GitHost, RefChange } from '../../testing/git-host.ts';

export interface RigCommitSeen {
  sha: string;
  message: string;
  /** ISO 8601. */
  at: string;
  authorName: string;
  authorEmail: string;
}

const FIELD = '\u0001';
const RECORD = '\u0002';

/** What a push has brought, oldest first. */
export async function commitsOf(git: GitHost, name: string, { before, after }: RefChange): Promise<RigCommitSeen[]> {
  if (after === null) return [];
  const range = before === null ? after : `${before}..${after}`;
  const format = ['%H', '%B', '%cI', '%an', '%ae'].join('%x01');
  const text = await git.git(name, ['log', '--reverse', `--format=${format}%x02`, range]);
  return text.split(RECORD).flatMap((record) => {
    const [sha = '', message = '', at = '', authorName = '', authorEmail = ''] = record.trim().split(FIELD);
    return sha ? [{ sha, message, at, authorName, authorEmail }] : [];
  });
}

export async function branchesOf(git: GitHost, name: string): Promise<{ name: string; sha: string }[]> {
  const lines = await git.git(name, ['for-each-ref', '--format=%(objectname) %(refname:strip=2)', 'refs/heads']);
  return lines.split('\n').flatMap((line) => (line ? [{ sha: line.slice(0, 40), name: line.slice(41) }] : []));
}

export async function hasCommit(git: GitHost, name: string, sha: string): Promise<boolean> {
  return git.git(name, ['cat-file', '-e', `${sha}^{commit}`]).then(
    () => true,
    () => false,
  );
}
