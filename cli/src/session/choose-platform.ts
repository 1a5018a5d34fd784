import type { CommonFlags } from '../frame/context.ts';
import type { Settings } from '../frame/settings.ts';
import { UsageError } from '../frame/usage-error.ts';
import type { FoundLink } from '../link/link.ts';
import { plainText } from '../terminal/printable.ts';
import { readAddress } from './read-address.ts';
import { StoredPlatforms } from './stored-platforms.ts';

export interface Platform {
  apiUrl: string;
  /** How it was chosen. */
  from: 'flag' | 'setting' | 'link' | 'login' | 'default';
}

/** The first of: --api-url, LILAC_API_URL, the linked folder's, the last one signed in at, this machine's own. */
export function choosePlatform(flags: CommonFlags, settings: Settings, link: FoundLink | null): Platform {
  if (flags.apiUrl !== undefined) return { apiUrl: readAddress(flags.apiUrl, '--api-url'), from: 'flag' };
  if (settings.apiUrl) return { apiUrl: settings.apiUrl, from: 'setting' };
  if (link) return linked(link, settings);
  const last = new StoredPlatforms(settings.configFolder).last();
  return last === null ? { apiUrl: settings.localUrl, from: 'default' } : { apiUrl: last, from: 'login' };
}

/** Whoever wrote the file chose the address, and must not get a token that was meant for another by it. */
function linked({ link: { apiUrl }, file }: FoundLink, settings: Settings): Platform {
  const isKnown = apiUrl === settings.localUrl || new StoredPlatforms(settings.configFolder).knows(apiUrl);
  if (settings.token && !isKnown) {
    throw new UsageError(
      `LILAC_TOKEN is set, and only ${plainText(file)} says where to send it. If that is right, set LILAC_API_URL=${apiUrl} too.`,
    );
  }
  return { apiUrl, from: 'link' };
}
