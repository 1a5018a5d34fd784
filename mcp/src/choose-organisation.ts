import { hasCode, type Lilac, type Output } from '@lilac/sdk';
import { Refused } from './confirm.ts';

export type Organisation = Output<'auth.profile'>['organisations'][number];

/** Null with an API key, which belongs to one and cannot ask which. */
export async function listOrganisations(lilac: Lilac, signal: AbortSignal): Promise<Organisation[] | null> {
  try {
    return (await lilac.call('auth.profile', { signal })).organisations;
  } catch (error) {
    if (hasCode(error, 'CA006')) return null;
    throw error;
  }
}

/** Where none is named, the only one is meant; which of several, nobody guesses. */
export async function chooseOrganisation(
  lilac: Lilac,
  named: string | undefined,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (named !== undefined) return named;
  const organisations = await listOrganisations(lilac, signal);
  if (organisations === null) return undefined;
  const [only, ...others] = organisations;
  if (only && others.length === 0) return only.id;
  if (!only) throw new Refused('You belong to no organisation. Create one in the console, or have yourself invited.');
  const known = organisations.map(({ id, name }) => `${id} (${name})`).join(', ');
  throw new Refused(`You belong to several organisations. Name one as organisationId: ${known}.`);
}
