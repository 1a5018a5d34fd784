import { gitProviders, type GitProvider } from '@lilac/contract/states';
import { readHostUrl, readList, readPath, readRange } from './read-values.ts';
import type { Setting } from './setting.ts';
import type { ReadSetting } from './settings.ts';

export const vcsSettings = [
  {
    name: 'LILAC_VCS_URL',
    default: 'https://github.com',
    summary:
      'The first repository host (`provider1`). A host that is set here or in the two settings that follow is trusted: ' +
      'it may be at a private address, and speak http://.',
  },
  {
    name: 'LILAC_PROVIDER2_URL',
    default: 'https://gitlab.com',
    summary: 'The second repository host.',
  },
  {
    name: 'LILAC_PROVIDER3_URL',
    default: 'https://bitbucket.org',
    summary: 'The third repository host.',
  },
  {
    name: 'LILAC_VCS_API_URL',
    default: "the host's own: `https://api.github.com`, elsewhere `<LILAC_VCS_URL>/api/v3`",
    summary: 'Where the API of the first repository host is.',
  },
  {
    name: 'LILAC_PROVIDER2_API_URL',
    default: '`<LILAC_PROVIDER2_URL>/api/v4`',
    summary: 'Where the API of the second repository host is.',
  },
  {
    name: 'LILAC_PROVIDER3_API_URL',
    default: "the host's own: `https://api.bitbucket.org/2.0`, elsewhere `<LILAC_PROVIDER3_URL>/2.0`",
    summary: 'Where the API of the third repository host is.',
  },
  {
    name: 'LILAC_VCS_APPS_FILE',
    default: '',
    summary:
      'A JSON file that says how the platform is known to the repository hosts, in place of what `lilac admin vcs` ' +
      'keeps in the store: for installations whose secrets come as files. Readable by the platform only.',
  },
  {
    name: 'LILAC_VCS_PRIVATE_ADDRESSES',
    default: '',
    summary:
      'Where a repository host is left at its default, its name may not lead to a private or loopback address, unless ' +
      'that is in one of these CIDR ranges, separated by commas: `10.0.0.0/8`.',
  },
] as const satisfies readonly Setting[];

export interface VcsSettings {
  /** Base URLs of the repository hosts, without a trailing slash. */
  vcsUrls: Record<GitProvider, URL>;
  /** Where the APIs of the repository hosts are, without a trailing slash. */
  vcsApiUrls: Record<GitProvider, URL>;
  /** How the platform is known to the hosts, where that does not stand in the store. */
  vcsAppsFile: string | null;
  /** The hosts that the operator has named, and so may be anywhere; the others are defaults. */
  vcsTrusted: readonly GitProvider[];
  vcsPrivateAddresses: readonly string[];
}

export function readVcsSettings(read: ReadSetting): VcsSettings {
  const vcsUrls = {
    provider1: readHostUrl('LILAC_VCS_URL', read('LILAC_VCS_URL') ?? 'https://github.com'),
    provider2: readHostUrl('LILAC_PROVIDER2_URL', read('LILAC_PROVIDER2_URL') ?? 'https://gitlab.com'),
    provider3: readHostUrl('LILAC_PROVIDER3_URL', read('LILAC_PROVIDER3_URL') ?? 'https://bitbucket.org'),
  };
  return {
    vcsUrls,
    vcsApiUrls: {
      provider1: readHostUrl('LILAC_VCS_API_URL', read('LILAC_VCS_API_URL') ?? apiOf(vcsUrls, 'provider1')),
      provider2: readHostUrl('LILAC_PROVIDER2_API_URL', read('LILAC_PROVIDER2_API_URL') ?? apiOf(vcsUrls, 'provider2')),
      provider3: readHostUrl('LILAC_PROVIDER3_API_URL', read('LILAC_PROVIDER3_API_URL') ?? apiOf(vcsUrls, 'provider3')),
    },
    vcsAppsFile: readPath(read('LILAC_VCS_APPS_FILE')),
    vcsTrusted: gitProviders.filter((provider) => read(urlSettings[provider]) !== undefined),
    vcsPrivateAddresses: readList(read('LILAC_VCS_PRIVATE_ADDRESSES')).map(readRange),
  };
}

/** The public hosts have their APIs at names of their own; what is run elsewhere has it below its own address. */
function apiOf(vcsUrls: Record<GitProvider, URL>, provider: GitProvider): string {
  const url = vcsUrls[provider];
  if (url.hostname === 'github.com') return 'https://api.github.com';
  if (url.hostname === 'bitbucket.org') return 'https://api.bitbucket.org/2.0';
  return url.href.replace(/\/$/, '') + { provider1: '/api/v3', provider2: '/api/v4', provider3: '/2.0' }[provider];
}

const urlSettings = {
  provider1: 'LILAC_VCS_URL',
  provider2: 'LILAC_PROVIDER2_URL',
  provider3: 'LILAC_PROVIDER3_URL',
} as const satisfies Record<GitProvider, Setting['name']>;
