import { Refused } from './confirm.ts';
import type { ToolCall } from './define-tool.ts';

/** A name that holds the address of a database is not the person's to set or to remove, and nobody is asked for it. */
export async function assertNotLinked(
  { lilac, targetOrganisationId, signal }: Pick<ToolCall, 'lilac' | 'targetOrganisationId' | 'signal'>,
  environmentId: string,
  names: readonly string[],
): Promise<void> {
  if (names.length === 0) return;
  const connected = await lilac.call('environments.databases', {
    body: { targetOrganisationId, environmentId },
    signal,
  });
  const taken = connected.find(({ variable }) => names.includes(variable));
  if (taken === undefined) return;
  const { variable, database_id: databaseId } = taken;
  throw new Refused(
    `Nothing was changed: ${variable} holds the address of the database ${databaseId}, which this environment is ` +
      'connected to. Disconnect that first by disconnect_database, or choose another name. (CF001)',
  );
}
