import type { RepositoryName } from '../../../vcs/vcs-host.ts';
import type { VcsDeps } from '../vcs-deps.ts';
import { askAsPerson } from './ask-as-person.ts';
import { troubleOfLinked } from '../access/linked-trouble.ts';
import { listLinkedConnections } from './connection-store.ts';

export interface RepositoryQuestion {
  provider: 'provider2' | 'provider3';
  organisationId: string;
  name: RepositoryName;
  signal: AbortSignal;
}

export interface RepositoryStatus {
  configured: boolean;
  connected: boolean;
  /** Of the connection that reaches the repository; of the first that works when none does. */
  connectionId: string | null;
  accountLogin: string | null;
  repoAccess: boolean;
  /** Why none of those that are linked works. */
  trouble: string | null;
}

/** Whether one of the organisation's connections reaches a repository. */
export async function statusOfRepository(
  deps: VcsDeps,
  { provider, organisationId, name, signal }: RepositoryQuestion,
): Promise<RepositoryStatus> {
  const host = await deps.hosts.connection(provider);
  const status: RepositoryStatus = {
    configured: host !== null,
    connected: false,
    connectionId: null,
    accountLogin: null,
    repoAccess: false,
    trouble: null,
  };
  const whyNone = () => troubleOfLinked(deps, { organisationId, provider });
  if (!host) return { ...status, trouble: await whyNone() };
  for (const connection of await listLinkedConnections(deps.store.db, { organisationId, provider })) {
    const asked = await askAsPerson(deps, { host, connection, signal }, (accessToken) =>
      host.findRepository({ kind: 'person', accessToken }, name, { signal }),
    );
    if (!asked || (status.connected && !asked.answer)) continue;
    Object.assign(status, { connected: true, connectionId: connection.id, accountLogin: connection.account_login });
    if (asked.answer) return { ...status, repoAccess: true };
  }
  return status.connected ? status : { ...status, trouble: await whyNone() };
}
