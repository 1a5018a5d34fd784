import { createLilac, type Lilac } from '@lilac/sdk';
import type { Context } from '../frame/context.ts';
import { tellingWhenSlow } from './telling-when-slow.ts';
import { NotSignedIn } from './not-signed-in.ts';
import { StoredPlatforms } from './stored-platforms.ts';

type Asking = Pick<Context, 'settings' | 'platform'> & Partial<Pick<Context, 'onAnswer' | 'complain' | 'input'>>;

export interface OpenOptions {
  /** For how long the platform may be away. */
  retryForMs?: number;
}

/** The platform as whoever LILAC_TOKEN names, or else as who is signed in. */
export async function openLilac(context: Asking, options: OpenOptions = {}): Promise<Lilac> {
  if (!hasCredential(context)) throw new NotSignedIn(context.platform.apiUrl);
  return createOwn(context, options);
}

/** As far as somebody is known; for what may be asked by anybody. */
export async function openLilacForAnybody(context: Asking, options: OpenOptions = {}): Promise<Lilac> {
  return createOwn(context, options);
}

function hasCredential({ settings, platform }: Asking): boolean {
  return settings.token !== undefined || new StoredPlatforms(settings.configFolder).knows(platform.apiUrl);
}

function createOwn(context: Asking, { retryForMs }: OpenOptions): Lilac {
  const { settings, platform, onAnswer, complain, input } = context;
  const isSession = settings.token === undefined && hasCredential(context);
  return createLilac({
    baseUrl: platform.apiUrl,
    token: settings.token,
    ...(isSession && { session: new StoredPlatforms(settings.configFolder).session(platform.apiUrl) }),
    headers: { 'x-client-type': 'cli' },
    ...(onAnswer && { onAnswer }),
    ...(complain && { fetch: tellingWhenSlow({ apiUrl: platform.apiUrl, complain, isTerminal: input?.isTerminal }) }),
    ...(retryForMs !== undefined && { retryForMs }),
  });
}
