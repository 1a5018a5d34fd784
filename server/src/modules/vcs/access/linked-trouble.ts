import type { GitProvider } from '@lilac/contract/states';
import type { Db } from '../../../db/pool.ts';
import { NOT_SET_UP } from '../attempts/sign-in-host.ts';
import { listLinkedConnections } from '../connections/connection-link-store.ts';
import { listLinkedInstallations } from '../installations/installation-store.ts';
import type { VcsDeps } from '../vcs-deps.ts';

export interface LinkedOf {
  organisationId: string;
  provider: GitProvider;
}

type Deps = Pick<VcsDeps, 'store' | 'hosts'>;

/** One installation or connection that is linked, and why it lets nobody in. */
export interface LinkedTrouble {
  accountLogin: string;
  /** Whole sentences, for people. */
  message: string;
}

/**
 * Why nothing that is linked to an organisation can be used, for whoever would otherwise be told that there is nothing.
 * Null where some of it can, or nothing is linked.
 */
export async function troubleOfLinked(deps: Deps, linked: LinkedOf): Promise<string | null> {
  const { count, troubles } = await listTroublesOf(deps.store.db, linked);
  if (count === 0) return null;
  const { provider } = linked;
  const host = provider === 'provider1' ? await deps.hosts.app() : await deps.hosts.connection(provider);
  if (!host) return NOT_SET_UP;
  return troubles.length < count ? null : troubles.map(({ message }) => message).join(' ');
}

/**
 * What people can do about a repository that nothing reaches: what is wrong with that which may have, by the names of
 * those who have to mend it; else the remedy that is given.
 */
export async function whatToMend(
  db: Db,
  { account, ...linked }: LinkedOf & { account: string },
  remedy: string,
): Promise<string> {
  const { troubles } = await listTroublesOf(db, linked);
  // An installation reaches its own account; of people, any of them may have.
  const likely = troubles.filter(
    ({ accountLogin }) => linked.provider !== 'provider1' || accountLogin.toLowerCase() === account.toLowerCase(),
  );
  return likely.length > 0 ? likely.map(({ message }) => message).join(' ') : remedy;
}

export async function listTroublesOf(
  db: Db,
  { organisationId, provider }: LinkedOf,
): Promise<{ count: number; troubles: LinkedTrouble[] }> {
  if (provider === 'provider1') {
    const linked = await listLinkedInstallations(db, organisationId);
    const suspended = linked.filter(({ is_suspended }) => is_suspended);
    return { count: linked.length, troubles: suspended.map(ofSuspended) };
  }
  const linked = await listLinkedConnections(db, { organisationId, provider });
  const troubles = linked.flatMap(({ account_login: accountLogin, trouble }) => {
    if (trouble === null) return [];
    const message = `The connection of ${accountLogin} no longer works. ${trouble} ("lilac ${provider} connect")`;
    return [{ accountLogin, message }];
  });
  return { count: linked.length, troubles };
}

function ofSuspended({ account_login: accountLogin }: { account_login: string }): LinkedTrouble {
  const message =
    `The installation at ${accountLogin} is suspended at the host: resume it there. If this is still said afterwards, ` +
    '"lilac vcs sync" looks again.';
  return { accountLogin, message };
}
