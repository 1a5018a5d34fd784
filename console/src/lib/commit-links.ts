import type { GitProvider } from '@lilac/contract/states';

/** An application's repository; no address where the source is an upload. */
interface RepositoryPlace {
  git_provider: GitProvider;
  vcs_repo_url: string | null;
}

interface Shapes {
  commit: (sha: string) => string;
  /** What came after one commit, up to another. */
  compare: (from: string, to: string) => string;
}

/** GitHub, GitLab, Bitbucket, wherever they are hosted. */
const shapes: Record<GitProvider, Shapes> = {
  provider1: { commit: (sha) => `commit/${sha}`, compare: (from, to) => `compare/${from}...${to}` },
  provider2: { commit: (sha) => `-/commit/${sha}`, compare: (from, to) => `-/compare/${from}...${to}` },
  // The later one first.
  provider3: { commit: (sha) => `commits/${sha}`, compare: (from, to) => `branches/compare/${to}..${from}` },
};

export function commitUrl(place: RepositoryPlace, sha: string): string | null {
  const base = baseOf(place);
  return base === null ? null : `${base}/${shapes[place.git_provider].commit(sha)}`;
}

/** Null where there is nothing to compare. */
export function compareUrl(
  place: RepositoryPlace,
  { from, to }: { from: string | null; to: string | null },
): string | null {
  const base = baseOf(place);
  if (base === null || !from || !to || from === to) return null;
  return `${base}/${shapes[place.git_provider].compare(from, to)}`;
}

/** Only what a browser should open: an address of the web's. */
function baseOf({ vcs_repo_url: url }: RepositoryPlace): string | null {
  if (!url || !/^https?:\/\//i.test(url)) return null;
  return url.replace(/\/+$/, '').replace(/\.git$/, '');
}
