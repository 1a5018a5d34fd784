import type { GitProvider } from '@lilac/contract/states';
import type { VcsAttemptRow } from '../../../db/schema.ts';
import { Fault } from '../../../lib/fault.ts';
import { HostUnavailable, type AppHost, type ConnectionHost } from '../../../vcs/vcs-host.ts';
import { hostAddresses } from '../settings/host-addresses.ts';
import type { VcsDeps } from '../vcs-deps.ts';
import { isProof, readState, writeTicket } from './attempt-signature.ts';
import { changeAttempt, findAttempt, holdAttempt, noteInstallation, open, releaseAttempt } from './attempt-store.ts';
import { completeAttempt, savePerson } from './complete-attempt.ts';
import { findOwnInstallation, findPerson, NOT_THEIRS, type Found } from './find-at-host.ts';
import { sealFound } from './seal-found.ts';
import { signInHostOf } from './sign-in-host.ts';

/** What a browser brought back from a host. All of it is anybody's to invent. */
export interface Return {
  provider: GitProvider;
  query: {
    code?: string | undefined;
    state?: string | undefined;
    installation_id?: string | undefined;
    setup_action?: string | undefined;
    error?: string | undefined;
  };
  /** The proof that the browser is the one that began this attempt. */
  proofFor: (attemptId: string) => string | null;
}

export type Returned =
  | { kind: 'linked'; attemptId: string; accountLogin: string }
  /** The person must say yes first, with this ticket. */
  | { kind: 'confirm'; ticket: string }
  /** An owner of the account must approve, at the host. */
  | { kind: 'requested' }
  /** The host is still to say who it is. */
  | { kind: 'sent on'; url: string }
  /** Nobody began here: the app was installed, or changed, from the host's own pages. */
  | { kind: 'unasked' }
  /** Nor could it be linked before the operator has done their part. */
  | { kind: 'not set up' }
  | { kind: 'refused'; message: string }
  | { kind: 'unavailable'; message: string; retryAfterSeconds: number };

/** A return that takes longer than this is given up; another is then looked into. */
const HOLD_MS = 60_000;
const ASK_MS = 45_000;

const ALTERED = 'This address does not come from this platform, or was altered on the way.';
const TOO_OLD = 'This took more than an hour, or was never begun.';
const USED = 'This was completed before. An address like this one works once.';
const BUSY = 'This is being completed at this moment, in another window.';
const LATE = 'The repository host takes too long to answer.';

export async function returnFromHost(deps: VcsDeps, back: Return): Promise<Returned> {
  const { provider, query } = back;
  const host = await signInHostOf(deps, provider);
  if (!host) return { kind: 'not set up' };
  if (!query.state) return { kind: 'unasked' };
  const id = readState(deps.stateKey, provider, query.state);
  if (id === null) return refused(ALTERED);
  const now = deps.clock.now();
  const attempt = await holdAttempt(deps.store.db, { id, now, until: new Date(now.getTime() + HOLD_MS) });
  if (!attempt) return refused(await whyNot(deps, id));
  const signal = AbortSignal.timeout(ASK_MS);
  try {
    return await goOn(deps, { ...back, host, attempt, signal });
  } catch (error) {
    if (error instanceof Fault) return await refuse(deps, id, error.message);
    if (error instanceof HostUnavailable) return unavailable(error);
    if (signal.aborted) return unavailable({ message: LATE, retryAfterSeconds: 30 });
    throw error;
  } finally {
    await releaseAttempt(deps.store.db, id);
  }
}

interface Going extends Return {
  host: AppHost | ConnectionHost;
  attempt: VcsAttemptRow;
  signal: AbortSignal;
}

async function goOn(deps: VcsDeps, going: Going): Promise<Returned> {
  const { provider, query, host, attempt, signal } = going;
  const { db } = deps.store;
  if (query.error) return refuse(deps, attempt.id, sayNo(query.error));
  if (host.provider === 'provider1' && query.setup_action === 'request') return request(deps, attempt.id);
  const redirectUrl = hostAddresses(deps.config, provider).callbackUrl;
  const installationId = numberOf(query.installation_id) ?? numberOf(attempt.installation_id);
  if (!query.code) {
    if (host.provider !== 'provider1') return refuse(deps, attempt.id, 'The host sent nothing to sign in with.');
    if (installationId !== null) await noteInstallation(db, attempt.id, installationId);
    return { kind: 'sent on', url: host.authorizeUrl({ state: query.state!, redirectUrl }) };
  }
  const isSameBrowser = isProof(deps.stateKey, attempt.id, going.proofFor(attempt.id));
  const who = await findPerson(host, { code: query.code, redirectUrl }, { signal });
  if (host.provider !== 'provider1')
    return finish(deps, { attempt, isSameBrowser, found: { ...who, installation: null } });
  // Whatever becomes of the installation, the person can now see and link those that they administer.
  if (isSameBrowser) await db.transaction().execute((tx) => savePerson(deps, tx, attempt, who));
  if (installationId === null) return refuse(deps, attempt.id, 'The host did not say where the app was installed.');
  const { accessToken } = who.tokens;
  const installation = await findOwnInstallation(host, { installationId, accessToken }, { signal });
  if (!installation) return refuse(deps, attempt.id, NOT_THEIRS);
  return finish(deps, { attempt, isSameBrowser, found: { ...who, installation } });
}

interface Finish {
  attempt: VcsAttemptRow;
  isSameBrowser: boolean;
  found: Found;
}

async function finish(deps: VcsDeps, { attempt, isSameBrowser, found }: Finish): Promise<Returned> {
  if (isSameBrowser) {
    const accountLogin = await completeAttempt(deps, { attempt, from: open, found });
    return accountLogin === null ? refused(USED) : { kind: 'linked', attemptId: attempt.id, accountLogin };
  }
  const isKept = await changeAttempt(deps.store.db, {
    id: attempt.id,
    from: open,
    now: deps.clock.now(),
    change: {
      state: 'confirm',
      message: 'Say yes in the browser window that came back from the host.',
      found: sealFound(deps.keyring, attempt.id, found),
      account_login: found.installation?.account.login ?? found.person.login,
    },
  });
  return isKept ? { kind: 'confirm', ticket: writeTicket(deps.stateKey, attempt.id) } : refused(USED);
}

async function request(deps: VcsDeps, id: string): Promise<Returned> {
  const message = 'An owner of the account must approve the app at the host. Then link it here.';
  await changeAttempt(deps.store.db, {
    id,
    from: open,
    change: { state: 'requested', message },
    now: deps.clock.now(),
  });
  return { kind: 'requested' };
}

async function refuse(deps: VcsDeps, id: string, message: string): Promise<Returned> {
  await changeAttempt(deps.store.db, { id, from: open, change: { state: 'refused', message }, now: deps.clock.now() });
  return refused(message);
}

/** Why an attempt cannot be carried on. */
async function whyNot({ store, clock }: VcsDeps, id: string): Promise<string> {
  const attempt = await findAttempt(store.db, id);
  if (!attempt || attempt.expires_at <= clock.now()) return TOO_OLD;
  return open.includes(attempt.state) ? BUSY : USED;
}

const refused = (message: string): Returned => ({ kind: 'refused', message });

function unavailable({ message, retryAfterSeconds }: { message: string; retryAfterSeconds: number }): Returned {
  return { kind: 'unavailable', message, retryAfterSeconds };
}

/** The host's own words are not shown: whoever makes up an address could have us say anything. */
function sayNo(error: string): string {
  if (error === 'access_denied') return 'You did not allow it at the host.';
  return `The host refused it${/^[a-z_]{1,40}$/.test(error) ? ` (${error})` : ''}.`;
}

function numberOf(text: string | null | undefined): number | null {
  return text && /^[1-9]\d{0,14}$/.test(text) ? Number(text) : null;
}
