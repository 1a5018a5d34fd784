import type { Caller } from '../../../http/handler.ts';
import type { VcsDeps } from '../vcs-deps.ts';
import { listLinkedInstallations } from './installation-store.ts';
import { visibleInstallations } from './person-at-host.ts';

export interface AccountQuestion {
  organisationId: string;
  logins: readonly string[];
  caller: Caller;
  signal: AbortSignal;
}

interface AccountState {
  installed: boolean;
  linkedToThisOrg: boolean;
}

/** Nobody finds out who uses the platform: only what the organisation has, or the person sees at the host, is told. */
export async function checkAccounts(
  deps: VcsDeps,
  { organisationId, logins, caller, signal }: AccountQuestion,
): Promise<Record<string, AccountState>> {
  const rows = await listLinkedInstallations(deps.store.db, organisationId);
  const linked = new Set(rows.map((row) => row.account_login.toLowerCase()));
  const areAllLinked = logins.every((login) => linked.has(login.toLowerCase()));
  const seen = areAllLinked ? new Set<string>() : await accountsSeenBy(deps, caller, signal);
  const stateOf = (login: string): AccountState => {
    const linkedToThisOrg = linked.has(login.toLowerCase());
    return { installed: linkedToThisOrg || seen.has(login.toLowerCase()), linkedToThisOrg };
  };
  return Object.fromEntries(logins.map((login) => [login, stateOf(login)]));
}

async function accountsSeenBy(deps: VcsDeps, caller: Caller, signal: AbortSignal): Promise<Set<string>> {
  const host = caller.kind === 'session' ? await deps.hosts.app() : null;
  if (!host || caller.kind !== 'session') return new Set();
  const visible = await visibleInstallations(deps, { host, userId: caller.userId, signal });
  return new Set(visible?.map(({ installation }) => installation.account.login.toLowerCase()));
}
