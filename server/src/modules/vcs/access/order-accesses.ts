import type { RepositoryName } from '../../../vcs/vcs-host.ts';

/**
 * Who is asked first: what reached the repository a while ago, then whose account it belongs to, then the rest, which
 * reach what was moved, or what others have shared with them.
 */
export function orderAccesses<A extends { id: string; accountLogin: string }>(
  accesses: readonly A[],
  { owner, lastId }: Pick<RepositoryName, 'owner'> & { lastId: string | undefined },
): A[] {
  const account = owner.split('/', 1)[0]!.toLowerCase();
  const rank = ({ id, accountLogin }: A): number => {
    if (id === lastId) return 0;
    return accountLogin.toLowerCase() === account ? 1 : 2;
  };
  return accesses.toSorted((one, other) => rank(one) - rank(other));
}
