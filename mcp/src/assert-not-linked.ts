import { hasCode } from '@lilac/sdk';
import { Refused } from './confirm.ts';
import type { ToolCall } from './define-tool.ts';

/** The newest ones; where there are more, the platform itself finds what is left. */
const MOST_DATABASES = 100;

/** A name that holds the address of a database is not the person's to set or to remove, and nobody is asked for it. */
export async function assertNotLinked(
  { lilac, targetOrganisationId, signal }: Pick<ToolCall, 'lilac' | 'targetOrganisationId' | 'signal'>,
  environmentId: string,
  names: readonly string[],
): Promise<void> {
  if (names.length === 0) return;
  const body = { targetOrganisationId, limit: MOST_DATABASES };
  const { items } = await lilac.call('databases.list', { body, signal });
  const links = await Promise.all(
    items.map(async ({ id: databaseId }) => {
      const input = { body: { targetOrganisationId, databaseId }, signal };
      return await lilac.call('databases.links', input).catch(noneWhenGone);
    }),
  );
  const taken = links.flat().find((link) => link.environment_id === environmentId && names.includes(link.variable));
  if (taken === undefined) return;
  const { variable, database_id: databaseId } = taken;
  throw new Refused(
    `Nothing was changed: ${variable} holds the address of the database ${databaseId}, which this environment is ` +
      'connected to. Disconnect that first by disconnect_database, or choose another name. (CF001)',
  );
}

/** It may be deleted while it is asked for. */
function noneWhenGone(error: unknown): [] {
  if (hasCode(error, 'NF001')) return [];
  throw error;
}
