import type { Lilac } from '@lilac/sdk';
import { UsageError } from '../frame/usage-error.ts';

/** By its id or its name. */
export async function findDatabase(
  lilac: Pick<Lilac, 'items'>,
  targetOrganisationId: string | undefined,
  named: string,
): Promise<string> {
  if (named.startsWith('db_')) return named;
  const matches: { id: string }[] = [];
  for await (const each of lilac.items('databases.list', { body: { targetOrganisationId, filter: named } })) {
    if (each.name.toLowerCase() === named.toLowerCase()) matches.push(each);
  }
  const [only, ...others] = matches;
  if (!only) throw new UsageError(`There is no database "${named}". "lilac db list" shows those there are.`);
  if (others.length === 0) return only.id;
  throw new UsageError(
    `Several databases are called "${named}": ${matches.map(({ id }) => id).join(', ')}. Name one by its id.`,
  );
}
