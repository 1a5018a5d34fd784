import { gitProviders, type GitProvider } from '@lilac/contract/states';
import type { Config } from '../../config.ts';
import { invalid } from '../../lib/fault.ts';
import type { Repository } from './repository.ts';

type Hosts = Pick<Config, 'vcsUrls'>;

export type RepositoryInput =
  | { url: string; provider?: GitProvider }
  | { owner: string; repo: string; provider?: GitProvider };

/**
 * What a caller calls a repository, as git is to be given it: on one of the configured hosts, over its
 * own scheme, without anything that could change where git goes.
 */
export function parseRepository(config: Hosts, input: RepositoryInput): Repository {
  if ('url' in input) return fromUrl(config, input);
  const provider = input.provider ?? 'provider1';
  return build(config, provider, `${input.owner}/${input.repo}`.split('/'));
}

function fromUrl(config: Hosts, { url: text, provider: asked }: { url: string; provider?: GitProvider }): Repository {
  const url = readUrl(config, text);
  const candidates = gitProviders.filter((provider) => isBelow(url, config.vcsUrls[provider]));
  // Two providers may share a base URL: the first wins, unless the caller named the other.
  const provider = asked && candidates.includes(asked) ? asked : longestBase(config, candidates);
  if (!provider) throw invalid(`There is no repository host at ${url.origin}. ${allowedHosts(config)}`);
  if (asked && asked !== provider) {
    throw invalid(`gitProvider is ${asked}, but ${url.origin} is ${provider}. Leave gitProvider out.`);
  }
  const path = url.pathname.slice(config.vcsUrls[provider].pathname.replace(/\/$/, '').length);
  return build(config, provider, path.replace(/^\//, '').replace(/\/$/, '').split('/'));
}

function readUrl(config: Hosts, text: string): URL {
  const url = /^https?:\/\//i.test(text) ? URL.parse(text) : null;
  if (!url) {
    throw invalid(`A repository is named by its https address, such as ${exampleUrl(config)}. ${allowedHosts(config)}`);
  }
  if (url.username || url.password) {
    throw invalid('Leave the user name and password out of the repository URL: they are never kept in an address.');
  }
  if (url.search || url.hash || /[?#]$/.test(text)) {
    throw invalid('Leave out what follows "?" or "#" in the repository URL.');
  }
  return url;
}

function isBelow(url: URL, base: URL): boolean {
  const prefix = base.pathname.replace(/\/$/, '');
  return url.origin === base.origin && url.pathname.startsWith(`${prefix}/`);
}

function longestBase({ vcsUrls }: Hosts, candidates: readonly GitProvider[]): GitProvider | undefined {
  return candidates.toSorted((one, other) => vcsUrls[other].pathname.length - vcsUrls[one].pathname.length)[0];
}

/** Letters, digits and `._~-`; neither `.` nor `..`. No host allows more, and git needs no escape for these. */
const SEGMENT = /^(?!\.{1,2}$)[\w.~-]{1,255}$/;

function build({ vcsUrls }: Hosts, provider: GitProvider, path: readonly string[]): Repository {
  const base = vcsUrls[provider];
  const segments = [...path.slice(0, -1), (path.at(-1) ?? '').replace(/\.git$/, '')];
  const owner = segments.slice(0, -1).join('/');
  const name = segments.at(-1) ?? '';
  checkDepth(provider, segments);
  if (!segments.every((segment) => SEGMENT.test(segment) && segment.toLowerCase() !== '.git')) {
    throw invalid(
      `"${path.join('/')}" does not name a repository: it is owner/name, in letters, digits, ".", "-", "_".`,
    );
  }
  const url = `${base.origin}${base.pathname.replace(/\/$/, '')}/${owner}/${name}.git`;
  return { provider, owner, name, url, credential: null };
}

function checkDepth(provider: GitProvider, segments: readonly string[]): void {
  if (segments.length < 2) throw invalid('The repository URL must name an owner and a repository.');
  const page = segments.findIndex((segment, index) => index >= 2 && PAGES.has(segment));
  if (page > 0) {
    throw invalid(
      `Leave out "/${segments.slice(page).join('/')}": give the address of the repository itself, and the branch and ` +
        'the folder in fields of their own.',
    );
  }
  if (segments.length > (provider === 'provider2' ? 21 : 2)) {
    throw invalid(`"${segments.join('/')}" has too many parts: a repository of ${provider} is owner/name.`);
  }
}

/** What follows the repository in the address of one of its pages; the second host sets its pages off by `-`. */
const PAGES = new Set(['tree', 'blob', 'commit', 'commits', 'src', 'branch', 'branches', '-']);

function allowedHosts({ vcsUrls }: Hosts): string {
  const names = [...new Set(gitProviders.map((provider) => vcsUrls[provider].href.replace(/\/$/, '')))];
  return `Repositories may be at ${names.join(', ')}.`;
}

function exampleUrl({ vcsUrls }: Hosts): string {
  return `${vcsUrls.provider1.href.replace(/\/$/, '')}/owner/name`;
}
