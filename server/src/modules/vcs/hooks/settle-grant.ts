import { parseRepository } from '../../../vcs/git/parse-repository.ts';
import { askEach } from '../access/ask-each.ts';
import { listLinkedAccesses, type HostQuestion } from '../access/linked-accesses.ts';
import { knowRepository } from '../access/known-id-store.ts';
import type { HostRepository } from '../../../vcs/vcs-host.ts';
import type { VcsDeps } from '../vcs-deps.ts';
import type { HookedApplication } from './hook-store.ts';
import { clearHookTrouble, notePushTrouble } from './push-trouble-store.ts';
import { tellOfTrouble } from './tell-of-trouble.ts';

/** The app of the first host hears of pushes to what its installations were granted, and of nothing else. */
export async function settleGrant(
  deps: VcsDeps,
  { id: applicationId, organisation_id: organisationId, url, wantsPushes, ...application }: HookedApplication,
  signal: AbortSignal,
): Promise<string> {
  const { db } = deps.store;
  const accesses = wantsPushes ? await listLinkedAccesses(deps, { organisationId, provider: 'provider1' }) : [];
  if (accesses.length === 0) {
    await (wantsPushes ? clearHookTrouble(db, applicationId) : notePushTrouble(db, applicationId, null));
    return 'There is nothing to be told of.';
  }
  const name = parseRepository(deps.config, { url, provider: 'provider1' });
  const { repositoryId: known } = application;
  const find: HostQuestion<HostRepository> = (host, access) =>
    known === null ? host.findRepository(access, name, { signal }) : host.findRepositoryById(access, known, { signal });
  const reached = await askEach(accesses, (linked) => linked.ask(find, { signal }));
  if (!reached) {
    const reason =
      `no installation that is linked to this organisation includes ${application.repository_path}. Let the one ` +
      'at its account have the repository, in its settings at the host, or install the app with "lilac vcs install".';
    return db.transaction().execute((tx) => tellOfTrouble(tx, { applicationId, reason }));
  }
  await knowRepository(db, { applicationId, provider: 'provider1', url, id: reached.value.id });
  await clearHookTrouble(db, applicationId);
  return 'The host tells of pushes.';
}
