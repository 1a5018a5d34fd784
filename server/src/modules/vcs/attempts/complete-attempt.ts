import type { AttemptState } from '@lilac/contract/states';
import type { Tx } from '../../../db/pool.ts';
import type { VcsAttemptRow } from '../../../db/schema.ts';
import { Fault } from '../../../lib/fault.ts';
import { saveConnection } from '../connections/connection-store.ts';
import { linkToOrganisation } from '../connections/link-to-organisation.ts';
import { sealTokens } from '../connections/seal-tokens.ts';
import { assertMayLink, linkInstallation } from '../installations/link-installation.ts';
import type { VcsDeps } from '../vcs-deps.ts';
import { changeAttempt, lockAttempt, type AttemptChange } from './attempt-store.ts';
import type { Found, FoundPerson } from './find-at-host.ts';

export interface Completion {
  attempt: VcsAttemptRow;
  from: readonly AttemptState[];
  found: Found;
}

/**
 * Links what a person brought from the host: all of it, or nothing. Throws a `Fault` when they may not (any more); null
 * when the attempt was taken up by somebody else meanwhile. Otherwise the name of the account.
 */
export function completeAttempt(deps: VcsDeps, { attempt: { id }, from, found }: Completion): Promise<string | null> {
  return deps.store.db.transaction().execute(async (tx) => {
    const attempt = await lockAttempt(tx, id);
    if (!attempt || !from.includes(attempt.state)) return null;
    await assertMayLink(tx, { organisationId: attempt.organisation_id, userId: attempt.user_id });
    const change = await link(deps, tx, { attempt, found });
    await changeAttempt(tx, { id, from, change, now: deps.clock.now() });
    return change.account_login;
  });
}

/** On the first host it shows who the person is; on the others it is the access itself. */
export function savePerson(deps: VcsDeps, tx: Tx, attempt: VcsAttemptRow, { person, tokens }: FoundPerson) {
  return saveConnection(tx, {
    provider: attempt.provider,
    userId: attempt.user_id,
    person,
    seal: (connectionId) => sealTokens(deps.keyring, connectionId, tokens),
  });
}

async function link(
  deps: VcsDeps,
  tx: Tx,
  { attempt, found }: { attempt: VcsAttemptRow; found: Found },
): Promise<AttemptChange & { account_login: string }> {
  const connection = await savePerson(deps, tx, attempt, found);
  const { organisation_id: organisationId, user_id: userId } = attempt;
  const done = { state: 'linked', message: null, found: null } as const;
  const { installation } = found;
  if (installation) {
    await linkInstallation(tx, { organisationId, userId, installation });
    return { ...done, account_login: installation.account.login, installation_id: installation.id };
  }
  const isLinked = await linkToOrganisation(tx, { organisationId, connection, caller: { kind: 'session', userId } });
  if (!isLinked) throw new Fault('CA004');
  return { ...done, account_login: connection.account_login, connection_id: connection.id };
}
