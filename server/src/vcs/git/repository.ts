import type { GitProvider } from '@lilac/contract/states';
import type { SourceTree } from '../../source/source-tree.ts';

/** A repository on one of the configured hosts. */
export interface Repository {
  provider: GitProvider;
  owner: string;
  name: string;
  /** What git is given: no credential in it. */
  url: string;
  /** Handed to git through its environment only. Null for public ones. */
  credential: { username: string; password: string } | null;
}

export interface Branch {
  name: string;
  sha: string;
}

export interface Commit {
  sha: string;
  message: string;
}

export interface CheckOutOptions {
  branch: string;
  folder: string;
  signal: AbortSignal;
  onLine: (line: string) => void;
  /** Told as soon as the commit is known, whatever becomes of its files. */
  onCommit?: (commit: Commit) => void | Promise<void>;
}

/**
 * Repositories over git's own transport. Whatever cannot be reached, is not there or asks for a
 * credential is a `Fault` VA003 whose message tells a person what to do.
 */
export interface GitSources {
  /** The commit a branch is at; null when the repository has no such branch. */
  headOf(repository: Repository, branch: string, options?: { signal?: AbortSignal }): Promise<string | null>;
  listBranches(repository: Repository, options?: { signal?: AbortSignal }): Promise<Branch[]>;
  /**
   * Writes the files of the branch's head into an empty folder, without `.git`. What was written until it
   * failed or was stopped is the caller's to remove.
   */
  checkOut(repository: Repository, options: CheckOutOptions): Promise<Commit>;
  /** The tree of the branch's head, without writing it out. */
  openTree(repository: Repository, branch: string, options?: { signal?: AbortSignal }): Promise<OpenTree>;
  /** Removes mirrors that nothing has used for long. */
  sweep(): Promise<void>;
}

export interface OpenTree extends SourceTree, AsyncDisposable {
  commit: Commit;
}
