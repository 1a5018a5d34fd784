import type { GitHost, RefChange } from '../../../testing/git-host.ts';
import { ownerOf } from '../../testing/rig-people.ts';
import type { EmulatedGithub } from './emulated-github.ts';

export type MirrorRefs = (name: string, changes: readonly RefChange[]) => Promise<void>;

/**
 * Carries what is in the real repositories over to the emulated host by its own API of git's objects. It gives objects
 * the ids that git gives them, so that git and the API agree on every commit.
 */
export function createMirror(git: GitHost, github: EmulatedGithub): MirrorRefs {
  const known = new Set<string>();
  /** Each object once in each repository. */
  const once = async (name: string, sha: string, carry: () => Promise<unknown>) => {
    if (known.has(`${name} ${sha}`)) return;
    await carry();
    known.add(`${name} ${sha}`);
  };
  const post = async (name: string, kind: string, body: object, sha: string) => {
    const path = `/repos/${name}/git/${kind}`;
    const made = await github.as<{ sha: string }>(ownerOf(name), path, { method: 'POST', body });
    if (made.sha !== sha) throw new Error(`The emulated host calls ${sha} ${made.sha}.`);
  };

  async function carryTree(name: string, sha: string): Promise<void> {
    const lines = (await git.git(name, ['ls-tree', '-z', sha])).split('\0').filter(Boolean);
    const entries = lines.map((line) => {
      const [about = '', path = ''] = line.split('\t');
      const [mode = '', type = '', entrySha = ''] = about.split(' ');
      return { mode, type, sha: entrySha, path };
    });
    for (const entry of entries) {
      if (entry.type === 'tree') await once(name, entry.sha, () => carryTree(name, entry.sha));
      if (entry.type === 'blob') await once(name, entry.sha, () => carryBlob(name, entry.sha));
    }
    await post(name, 'trees', { tree: entries }, sha);
  }

  async function carryBlob(name: string, sha: string): Promise<void> {
    const bytes = await git.read(name, ['cat-file', 'blob', sha]);
    await post(name, 'blobs', { content: bytes.toString('base64'), encoding: 'base64' }, sha);
  }

  async function carryCommit(name: string, sha: string): Promise<void> {
    const format = ['%T', '%P', '%an', '%ae', '%aI', '%cn', '%ce', '%cI'].join('%x00');
    const shown = await git.git(name, ['show', '-s', `--format=${format}`, sha]);
    const [tree = '', parents = '', an, ae, ad, cn, ce, cd] = shown.split('\0');
    await once(name, tree, () => carryTree(name, tree));
    const raw = (await git.read(name, ['cat-file', 'commit', sha])).toString();
    const body = {
      message: raw.slice(raw.indexOf('\n\n') + 2),
      tree,
      parents: parents.split(' ').filter(Boolean),
      author: { name: an, email: ae, date: ad },
      committer: { name: cn, email: ce, date: cd },
    };
    await post(name, 'commits', body, sha);
  }

  return async (name, changes) => {
    for (const { ref, before, after } of changes) {
      const [owner, at] = [ownerOf(name), `/repos/${name}/git/${ref}`];
      if (after === null) {
        await github.as(owner, at, { method: 'DELETE' });
        continue;
      }
      const commits = await git.git(name, ['rev-list', '--reverse', '--topo-order', after]);
      for (const sha of commits.split('\n')) await once(name, sha, () => carryCommit(name, sha));
      if (before === null) {
        await github.as(owner, `/repos/${name}/git/refs`, { method: 'POST', body: { ref, sha: after } });
      } else {
        await github.as(owner, at, { method: 'PATCH', body: { sha: after, force: true } });
      }
    }
  };
}
