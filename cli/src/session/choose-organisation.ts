import type { Lilac, Output } from '@lilac/sdk';
import type { Context } from '../frame/context.ts';
import { UsageError } from '../frame/usage-error.ts';
import { plainText } from '../terminal/printable.ts';
import { StoredPlatforms } from './stored-platforms.ts';

type Asking = Pick<Context, 'flags' | 'settings' | 'platform' | 'link'>;

export interface ChosenOrganisation {
  /** Undefined with an API key, which has its own: then none is sent. */
  id: string | undefined;
  from: 'flag' | 'key' | 'link' | 'preference' | 'only';
}

/** The first of: --org, the key's own, the linked folder's, the one that "lilac orgs use" chose, the only one. */
export async function chooseOrganisation(context: Asking, lilac: Pick<Lilac, 'call'>): Promise<string | undefined> {
  return (await findOrganisation(context, lilac)).id;
}

/** The same, and how it was chosen. */
export async function findOrganisation(context: Asking, lilac: Pick<Lilac, 'call'>): Promise<ChosenOrganisation> {
  const { flags, settings, platform, link } = context;
  const isKey = settings.token?.startsWith('lc_') ?? false;
  if (flags.organisation !== undefined) {
    return { id: await organisationNamed(flags.organisation, { lilac, isKey }), from: 'flag' };
  }
  if (isKey) return { id: undefined, from: 'key' };
  const linked = link?.link.apiUrl === platform.apiUrl ? link.link.organisationId : undefined;
  // Where a key linked the folder, nobody knew.
  if (linked !== undefined) return { id: linked, from: 'link' };
  // Whoever a token names need not be who chose.
  const preferred = settings.token ? null : new StoredPlatforms(settings.configFolder).organisation(platform.apiUrl);
  if (preferred !== null) return { id: preferred, from: 'preference' };
  return { id: onlyOne((await lilac.call('auth.profile')).organisations), from: 'only' };
}

type Organisations = Output<'auth.profile'>['organisations'];

/** A key cannot ask which organisations there are; it belongs to one, and the platform tells when it is another. */
export async function organisationNamed(
  named: string,
  { lilac, isKey }: { lilac: Pick<Lilac, 'call'>; isKey: boolean },
): Promise<string> {
  if (isKey || named.startsWith('org_')) return named;
  const { organisations } = await lilac.call('auth.profile');
  const wanted = named.toLowerCase();
  const bySlug = organisations.find(({ slug }) => slug === wanted);
  const byName = organisations.filter(({ name }) => name.toLowerCase() === wanted);
  if (bySlug) return bySlug.id;
  if (byName.length === 1) return byName[0]!.id;
  const problem =
    byName.length > 1
      ? `Several of your organisations are called "${named}"`
      : `You belong to no organisation "${named}"`;
  throw new UsageError(`${problem}:${listOf(byName.length > 1 ? byName : organisations)}`);
}

function onlyOne(organisations: Organisations): string {
  const [only, ...others] = organisations;
  if (!only) throw new UsageError('You belong to no organisation; "lilac orgs create <name>" makes one.');
  if (others.length === 0) return only.id;
  throw new UsageError(
    `You belong to several organisations. Say which one, or choose one for all commands with "lilac orgs use":${listOf(organisations)}`,
  );
}

const listOf = (organisations: Organisations) =>
  organisations.map(({ id, name }) => `\n  --org ${plainText(id)}   ${plainText(name)}`).join('');
