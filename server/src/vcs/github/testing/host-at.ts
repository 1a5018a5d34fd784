import { createHostFetch } from '../../host-fetch.ts';
import type { GithubRig } from '../../testing/github-rig.ts';
import type { AppHost } from '../../vcs-host.ts';
import { createGithub, type GithubOptions } from '../create-github.ts';

/** The host as the platform has it, at a rig. */
export function hostAt(rig: GithubRig, options: Partial<Omit<GithubOptions, 'config'>> = {}): AppHost {
  const elsewhere = new URL('http://127.0.0.1:9');
  const others = { provider2: elsewhere, provider3: elsewhere };
  return createGithub({
    config: {
      vcsUrls: { ...others, provider1: new URL(rig.url) },
      vcsApiUrls: { ...others, provider1: new URL(rig.apiUrl) },
    },
    fetch: createHostFetch(),
    settings: rig.settings,
    ...options,
  });
}
