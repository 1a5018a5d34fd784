import type { GitProvider } from '@lilac/contract/states';
import { nameHost, products, type RepositoryHost } from '../../lib/repository-hosts.ts';
import { repositoryPath } from './repository-path.ts';

/** What is linked to the organisation at the repository's host. */
export interface LinkedAccount {
  login: string;
  /** Neither suspended there nor turned away. */
  isUsable: boolean;
}

interface Source {
  git_provider: GitProvider;
  vcs_repo_url: string | null;
  is_private: boolean;
}

export interface PushObstacle {
  why: string;
  /** The page of repositories says what to do about it. */
  isMendable: boolean;
}

/**
 * Why the host would tell of no push; null where it would. An app of the first host hears of the account that has
 * installed it, and a private repository was reached by something; a person's connection reaches what that person does.
 */
export function pushObstacle(
  { git_provider: provider, vcs_repo_url, is_private }: Source,
  { host, accounts }: { host: RepositoryHost | undefined; accounts: readonly LinkedAccount[] },
): PushObstacle | null {
  // Somebody's own is not the one that everybody knows by that name.
  const product = host ? nameHost(host) : products[provider];
  if (!host?.enabled) return { why: `${product} is switched off on this platform.`, isMendable: false };
  if (!host.configured) return { why: `${product} is not set up on this platform.`, isMendable: true };
  const owner = repositoryPath(vcs_repo_url)?.owner.toLowerCase();
  const hears = ({ login, isUsable }: LinkedAccount) =>
    isUsable && (provider !== 'provider1' || is_private || login.toLowerCase() === owner);
  if (accounts.some(hears)) return null;
  return { why: `No account of ${product} that reaches the repository is linked.`, isMendable: true };
}
