import { parseRepository } from '../../../vcs/git/parse-repository.ts';
import type { ConnectionHost, HostRepository } from '../../../vcs/vcs-host.ts';
import type { Fault } from '../../../lib/fault.ts';
import { isEnabled } from '../../catalogue/feature-flags.ts';
import { askEach } from '../access/ask-each.ts';
import { isAtSameAccount, movedAway, nameTaken } from '../access/follow-repository.ts';
import { knowRepository } from '../access/known-id-store.ts';
import { isAtLinked, listLinkedAccesses, type HostQuestion, type LinkedAccess } from '../access/linked-accesses.ts';
import { isSameId } from '../access/repository-id.ts';
import { hostAddresses } from '../settings/host-addresses.ts';
import type { VcsDeps } from '../vcs-deps.ts';
import { findHookedApplication, saveHook, type HookedApplication, type HookedProvider } from './hook-store.ts';
import { clearHookTrouble, notePushTrouble } from './push-trouble-store.ts';
import { removeHook } from './remove-hook.ts';
import { settleGrant } from './settle-grant.ts';
import { tellOfTrouble } from './tell-of-trouble.ts';

interface Made {
  repository: HostRepository;
  hookId: string;
  connectionId: string;
}

interface NotMade {
  reached: HostRepository | null;
  /** Of what was reached, where it is not the application's. */
  refusal: Fault | null;
}

/** Pushes of an application's repository are told of if it wants them, and only then. */
export async function settleHook(deps: VcsDeps, applicationId: string, signal: AbortSignal): Promise<string> {
  const application = await findHookedApplication(deps.store.db, applicationId);
  if (!application) return 'There is nothing to be told of.';
  const { provider, repositoryId } = application;
  if (provider === 'provider1') return settleGrant(deps, application, signal);
  const host = isEnabled(deps.config, provider) ? await deps.hosts.connection(provider) : null;
  if (!host) return 'The host is not set up.';
  if (!application.wantsPushes) {
    await notePushTrouble(deps.store.db, applicationId, null);
    return repositoryId === null ? 'There is none.' : removeHook(deps, { provider, repositoryId }, signal);
  }
  const made = await makeHook(deps, { host, application: { ...application, provider } }, signal);
  if ('reached' in made) {
    const reason = whyNot(application, made);
    return deps.store.db.transaction().execute((tx) => tellOfTrouble(tx, { applicationId, reason }));
  }
  const { hookId, connectionId, repository } = made;
  await deps.store.db.transaction().execute(async (tx) => {
    await knowRepository(tx, { applicationId, provider, url: application.url, id: repository.id });
    await saveHook(tx, { provider, repositoryId: repository.id, hookId, connectionId });
    await clearHookTrouble(tx, applicationId);
  });
  return 'The host tells of pushes.';
}

/**
 * By the first connection that may; else what one of them reached, though it may make no hook there, or though nothing
 * of it is deployed any more: see `followRepository`.
 */
async function makeHook(
  deps: VcsDeps,
  { host, application }: { host: ConnectionHost; application: HookedApplication & { provider: HookedProvider } },
  signal: AbortSignal,
): Promise<Made | NotMade> {
  const { provider, organisation_id: organisationId, url } = application;
  const name = parseRepository(deps.config, { url, provider });
  const webhookUrl = hostAddresses(deps.config, provider).webhookUrl;
  const accesses = await listLinkedAccesses(deps, { organisationId, provider });
  const notMade: NotMade = { reached: null, refusal: null };
  const make: HostQuestion<Omit<Made, 'connectionId'>> = async (_host, access) => {
    const repository = await host.findRepository(access, name, { signal });
    if (!repository) return null;
    notMade.reached ??= repository;
    notMade.refusal = whyNotOurs(application, repository, accesses);
    if (notMade.refusal) return null;
    const hookId = await host.ensureHook(access, { repository, url: webhookUrl }, { signal });
    return hookId === null ? null : { repository, hookId };
  };
  const made = await askEach(accesses, (linked) => linked.ask(make, { signal }));
  return made ? { ...made.value, connectionId: made.linked.id } : notMade;
}

function whyNotOurs(
  application: HookedApplication,
  repository: HostRepository,
  accesses: readonly LinkedAccess[],
): Fault | null {
  const { repositoryId } = application;
  if (repositoryId === null) return null;
  if (!isSameId(repository.id, repositoryId)) return nameTaken(application);
  const isFollowed = isAtSameAccount(application, repository) || isAtLinked(accesses, repository);
  return isFollowed ? null : movedAway(application, repository);
}

function whyNot({ provider, url }: HookedApplication, { reached, refusal }: NotMade): string {
  const connect = `with "lilac ${provider} connect", then it is tried again.`;
  if (!reached)
    return `no connection that is linked to this organisation reaches ${url}. Let the platform in ${connect}`;
  if (refusal) return refusal.message;
  return (
    `none of the connections that are linked to this organisation may add a webhook to ${reached.fullName}. ` +
    `Let the platform in as somebody who administers it, ${connect}`
  );
}
