import type { RepositoryName } from '../../../vcs/vcs-host.ts';
import type { VcsDeps } from '../vcs-deps.ts';
import { askEach } from '../access/ask-each.ts';
import { troubleOfLinked } from '../access/linked-trouble.ts';
import { askAsPerson } from './ask-as-person.ts';
import { listLinkedConnections, type LinkedConnectionRow } from './connection-link-store.ts';

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
  let first: LinkedConnectionRow | null = null;
  const linked = await listLinkedConnections(deps.store.db, { organisationId, provider });
  const reached = await askEach(linked, async (connection) => {
    const asked = await askAsPerson(deps, { host, connection, signal }, (accessToken) =>
      host.findRepository({ kind: 'person', accessToken }, name, { signal }),
    );
    if (asked) first ??= connection;
    return asked && asked.answer;
  });
  const shown = reached?.linked ?? first;
  if (!shown) return { ...status, trouble: await whyNone() };
  const { id: connectionId, account_login: accountLogin } = shown;
  return { ...status, connected: true, connectionId, accountLogin, repoAccess: reached !== null };
}
