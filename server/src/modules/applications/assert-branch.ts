import { Fault, invalid } from '../../lib/fault.ts';
import { isBranchName } from '../../vcs/git/branch-name.ts';
import type { GitSources, Repository } from '../../vcs/git/repository.ts';

const NAMED_AT_MOST = 5;

export function assertBranchName(field: string, name: string): void {
  if (!isBranchName(name)) throw invalid(`${field} must be the name of a branch; "${name}" cannot be one.`);
}

/** The repository must be reachable and have the branch: VA003 otherwise, with branches that it has. */
export async function assertBranchExists(
  gitSources: Pick<GitSources, 'headOf' | 'listBranches'>,
  repository: Repository,
  branch: string,
  options: { signal?: AbortSignal } = {},
): Promise<void> {
  if ((await gitSources.headOf(repository, branch, options)) !== null) return;
  const there = (await gitSources.listBranches(repository, options)).map(({ name }) => name);
  const named = there.slice(0, NAMED_AT_MOST).join(', ');
  const more = there.length > NAMED_AT_MOST ? ` and ${there.length - NAMED_AT_MOST} more` : '';
  const hint = there.length === 0 ? 'It has no branches: push a commit first.' : `It has ${named}${more}.`;
  throw new Fault('VA003', `The repository has no branch "${branch}". ${hint}`);
}
