import type { GitProvider } from '@lilac/contract/states';
import type { VcsAttemptRow } from '../../../db/schema.ts';
import { conflict, Fault } from '../../../lib/fault.ts';
import { findOrganisation } from '../../organisations/organisation-store.ts';
import { assertMayLink } from '../installations/link-installation.ts';
import { hostAddresses } from '../settings/host-addresses.ts';
import type { VcsDeps } from '../vcs-deps.ts';
import { readTicket } from './attempt-signature.ts';
import { findAttempt } from './attempt-store.ts';
import { completeAttempt } from './complete-attempt.ts';
import { findOwnInstallation, NOT_THEIRS } from './find-at-host.ts';
import { openFound } from './seal-found.ts';
import { notSetUp, signInHostOf } from './sign-in-host.ts';

export interface Confirming {
  ticket: string;
  userId: string;
  /** False: only what would be linked is told. */
  isYes: boolean;
  signal: AbortSignal;
}

export interface Confirmed {
  provider: GitProvider;
  hostUrl: string;
  accountLogin: string;
  organisationName: string;
  linked: boolean;
}

/** Whoever began says yes to what came back by a browser that could not show that it was theirs. */
export async function confirmAttempt(deps: VcsDeps, confirming: Confirming): Promise<Confirmed> {
  const attempt = await findOwn(deps, confirming);
  const { db } = deps.store;
  const { organisation_id: organisationId, user_id: userId } = attempt;
  await db.transaction().execute((tx) => assertMayLink(tx, { organisationId, userId }));
  const organisation = await findOrganisation(db, organisationId);
  if (!organisation) throw nothingThere();
  const answer = {
    provider: attempt.provider,
    hostUrl: hostAddresses(deps.config, attempt.provider).hostUrl,
    accountLogin: attempt.account_login ?? '',
    organisationName: organisation.name,
  };
  if (attempt.state === 'linked') return { ...answer, linked: true };
  if (attempt.state !== 'confirm') throw conflict('There is nothing to confirm. Begin again.');
  if (!confirming.isYes) return { ...answer, linked: false };
  await complete(deps, attempt, confirming.signal);
  return { ...answer, linked: true };
}

async function complete(deps: VcsDeps, attempt: VcsAttemptRow, signal: AbortSignal): Promise<void> {
  const host = await signInHostOf(deps, attempt.provider);
  if (!host) throw notSetUp();
  const found = openFound(deps.keyring, attempt);
  if (!found) throw nothingThere();
  if (host.provider === 'provider1') {
    const question = { installationId: found.installation!.id, accessToken: found.tokens.accessToken };
    found.installation = await findOwnInstallation(host, question, { signal });
    if (!found.installation) throw conflict(NOT_THEIRS);
  }
  const accountLogin = await completeAttempt(deps, { attempt, from: ['confirm'], found });
  // Somebody who says yes twice at once is answered twice.
  const isLinked = accountLogin !== null || (await findAttempt(deps.store.db, attempt.id))?.state === 'linked';
  if (!isLinked) throw conflict('There is nothing to confirm any more. Begin again.');
}

/** Another person learns nothing, not even that there is something. */
async function findOwn(deps: VcsDeps, { ticket, userId }: Confirming): Promise<VcsAttemptRow> {
  const id = readTicket(deps.stateKey, ticket);
  const attempt = id && (await findAttempt(deps.store.db, id));
  if (!attempt || attempt.user_id !== userId || attempt.expires_at <= deps.clock.now()) throw nothingThere();
  return attempt;
}

function nothingThere(): Fault {
  return new Fault(
    'NF001',
    'There is nothing to confirm here: it is too old, or somebody else began it. Sign in as who began, or begin again.',
  );
}
