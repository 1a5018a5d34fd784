import type { RepositoryName } from '../../../vcs/vcs-host.ts';
import type { VcsDeps } from '../vcs-deps.ts';
import { askAsPerson } from './ask-as-person.ts';
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
  };
  if (!host) return status;
  for (const connection of await listLinkedConnections(deps.store.db, { organisationId, provider })) {
    const asked = await askAsPerson(deps, { host, connection, signal }, (accessToken) =>
      host.findRepository({ kind: 'person', accessToken }, name, { signal }),
    );
    if (!asked || (status.connected && !asked.answer)) continue;
    Object.assign(status, { connected: true, connectionId: connection.id, accountLogin: connection.account_login });
    if (asked.answer) return { ...status, repoAccess: true };
  }
  return status;
}
