interface RepositoryPath {
  owner: string;
  repo: string;
}

/** Groups within groups belong to the owner. Null where the address has no two parts. */
export function repositoryPath(url: string | null): RepositoryPath | null {
  if (!url) return null;
  const parts = pathOf(url)
    .split('/')
    .filter((part) => part !== '');
  const repo = parts.pop()?.replace(/\.git$/, '');
  return repo && parts.length > 0 ? { owner: parts.join('/'), repo } : null;
}

export function repositoryName(url: string): string {
  const path = repositoryPath(url);
  return path ? `${path.owner}/${path.repo}` : url;
}

/** `https://host/owner/repo`, and `git@host:owner/repo`. */
function pathOf(url: string): string {
  const parsed = URL.parse(url);
  if (parsed && parsed.host !== '') return parsed.pathname;
  return url.includes(':') ? url.slice(url.indexOf(':') + 1) : '';
}
