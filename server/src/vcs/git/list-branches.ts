import { refOfBranch } from './branch-name.ts';
import type { GitContext } from './git-context.ts';
import { remoteFault, throwIfStopped, unknownFault } from './git-failure.ts';
import type { Branch, Repository } from './repository.ts';

/** Somebody waits for it, mostly: git's own patience with a slow host is longer. */
const TIMEOUT_MS = 15_000;
const PREFIX = 'refs/heads/';

export async function headOf(
  context: GitContext,
  repository: Repository,
  { branch, signal }: { branch: string; signal?: AbortSignal },
): Promise<string | null> {
  const branches = await listRemote(context, repository, { pattern: refOfBranch(branch), signal });
  return branches.find(({ name }) => name === branch)?.sha ?? null;
}

/** In the order of their names. */
export function listBranches(
  context: GitContext,
  repository: Repository,
  { signal }: { signal?: AbortSignal } = {},
): Promise<Branch[]> {
  return listRemote(context, repository, { signal });
}

async function listRemote(
  context: GitContext,
  repository: Repository,
  { pattern, signal }: { pattern?: string; signal?: AbortSignal },
): Promise<Branch[]> {
  const args = ['ls-remote', '--heads', '--', 'origin', ...(pattern ? [pattern] : [])];
  const result = await context.remote(repository, args, { timeoutMs: TIMEOUT_MS, signal });
  throwIfStopped(repository, result, signal);
  if (result.exitCode !== 0) throw remoteFault(repository, result) ?? unknownFault(repository, result);
  return parseBranches(result.stdout.toString('utf8'));
}

function parseBranches(text: string): Branch[] {
  return text.split('\n').flatMap((line) => {
    const [sha = '', ref = ''] = line.split('\t');
    return ref.startsWith(PREFIX) ? [{ name: ref.slice(PREFIX.length), sha }] : [];
  });
}
