import type { GitProvider } from '@lilac/contract/states';
import type { OutputOf } from './api-types.ts';

export type RepositoryHost = OutputOf<'config.platform'>['repositoryHosts'][number];

export const products: Record<GitProvider, string> = {
  provider1: 'GitHub',
  provider2: 'GitLab',
  provider3: 'Bitbucket',
};

/** `GitLab`, or `GitLab (git.example.org)`: somebody's own is to be told from the one that everybody knows. */
export function nameHost({ id, url }: RepositoryHost): string {
  const { host } = new URL(url);
  const usual = `${products[id].toLowerCase()}.${id === 'provider3' ? 'org' : 'com'}`;
  return host === usual ? products[id] : `${products[id]} (${host})`;
}

/** A repository as the API wants to hear of it. */
export interface RepositoryPlace {
  provider: GitProvider;
  owner: string;
  repo: string;
  /** Without `.git`. */
  url: string;
}

/** The place of `owner/name` at a host; groups within groups all belong to the owner. */
export function placeAt({ id, url }: RepositoryHost, fullName: string): RepositoryPlace {
  const parts = fullName.split('/');
  return { provider: id, owner: parts.slice(0, -1).join('/'), repo: parts.at(-1)!, url: `${url}/${fullName}` };
}

/**
 * What somebody copied from the browser or from `git clone`: with or without `https://` and `.git`. A text says
 * why not where it is none.
 */
export function readRepositoryAddress(typed: string, hosts: readonly RepositoryHost[]): RepositoryPlace | string {
  const text = typed.trim().replace(/\/+$/, '');
  const host = hosts
    .toSorted((one, other) => other.url.length - one.url.length)
    .find(({ url }) => bare(text).startsWith(`${bare(url)}/`));
  if (!host) return `Repositories may be at ${hosts.map(({ url }) => url).join(', ')}.`;
  const path = text.replace(/^https?:\/\//i, '').slice(bare(host.url).length + 1);
  const name = path.replace(/\.git$/, '');
  if (!/^[\w.~-]+(\/[\w.~-]+)+$/.test(name))
    return `After ${host.url} comes the owner and the name: ${host.url}/owner/name.`;
  return placeAt(host, name);
}

function bare(url: string): string {
  return url.replace(/^https?:\/\//i, '').toLowerCase();
}
