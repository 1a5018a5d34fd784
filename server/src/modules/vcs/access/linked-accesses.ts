import type { GitProvider } from '@lilac/contract/states';
import type { VcsConnectionRow, VcsInstallationRow } from '../../../db/schema.ts';
import type {
  AppHost,
  CallOptions,
  HostAccess,
  HostRepository,
  RepositoryName,
  SignInHost,
  VcsHost,
} from '../../../vcs/vcs-host.ts';
import { askAsPerson } from '../connections/ask-as-person.ts';
import { listLinkedConnections } from '../connections/connection-link-store.ts';
import { listLinkedInstallations } from '../installations/installation-store.ts';
import { readAgain } from '../installations/read-again.ts';
import type { VcsDeps } from '../vcs-deps.ts';

/** What lets an organisation in at a host: an installation, or what a person has allowed. */
export interface LinkedAccess {
  /** The id of the installation or the connection. */
  id: string;
  /** Whose it is, by the host's name. */
  accountLogin: string;
  /** Null when what is asked for is not there, or not for this access, or when it is no longer good itself. */
  ask<T>(question: HostQuestion<T>, options?: CallOptions): Promise<T | null>;
  /** All that it reaches. Null when the host tells it nothing; whether it is still good is then asked, and noted. */
  listRepositories(): Promise<HostRepository[] | null>;
}

export type HostQuestion<T> = (host: VcsHost, access: HostAccess) => Promise<T | null>;

/** As the store has it at this moment: what was unlinked lets nobody in. */
export function listLinkedAccesses(
  deps: VcsDeps,
  { organisationId, provider }: { organisationId: string; provider: GitProvider },
): Promise<LinkedAccess[]> {
  return provider === 'provider1'
    ? listInstallations(deps, organisationId)
    : listConnections(deps, { organisationId, provider });
}

/** Whether a repository is at an account whose own installation or connection is among them. */
export function isAtLinked(accesses: readonly LinkedAccess[], { owner }: RepositoryName): boolean {
  const account = owner.split('/', 1)[0]!.toLowerCase();
  return accesses.some(({ accountLogin }) => accountLogin.toLowerCase() === account);
}

async function listInstallations(deps: VcsDeps, organisationId: string): Promise<LinkedAccess[]> {
  const linked = await listLinkedInstallations(deps.store.db, organisationId);
  const usable = linked.filter((installation) => !installation.is_suspended);
  const host = usable.length > 0 ? await deps.hosts.app() : null;
  return host ? usable.map((installation) => ofInstallation(deps, host, installation)) : [];
}

function ofInstallation(deps: VcsDeps, host: AppHost, { id, account_login }: VcsInstallationRow): LinkedAccess {
  const installationId = Number(id);
  const access: HostAccess = { kind: 'installation', installationId };
  return {
    id,
    accountLogin: account_login,
    ask: (question) => question(host, access),
    async listRepositories() {
      const listed = await host.listRepositories(access);
      if (listed === null) await readAgain(deps, { host, installationId });
      return listed;
    },
  };
}

async function listConnections(
  deps: VcsDeps,
  { organisationId, provider }: { organisationId: string; provider: 'provider2' | 'provider3' },
): Promise<LinkedAccess[]> {
  const linked = await listLinkedConnections(deps.store.db, { organisationId, provider });
  const host = linked.length > 0 ? await deps.hosts.connection(provider) : null;
  return host ? linked.map((connection) => ofConnection(deps, host, connection)) : [];
}

function ofConnection(deps: VcsDeps, host: SignInHost, connection: VcsConnectionRow): LinkedAccess {
  const ask: LinkedAccess['ask'] = async (question, options) => {
    const asked = await askAsPerson(deps, { host, connection, ...options }, (accessToken) =>
      question(host, { kind: 'person', accessToken }),
    );
    return asked && asked.answer;
  };
  return {
    id: connection.id,
    accountLogin: connection.account_login,
    ask,
    listRepositories: () => ask((_host, access) => host.listRepositories(access)),
  };
}
