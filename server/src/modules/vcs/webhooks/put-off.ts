import { Fault } from '../../../lib/fault.ts';
import { HostUnavailable } from '../../../vcs/vcs-host.ts';
import { missedPush, notePushTrouble } from '../hooks/push-trouble-store.ts';
import { nextTryMs } from '../statuses/next-try.ts';
import { tellApplication } from '../tell-application.ts';
import type { FailedSoFar } from './delivery-turns.ts';
import type { DeliveryPayload } from './job-kinds.ts';
import type { Act, ActDeps } from './webhooks-deps.ts';

/** What was not done, of what hosts and git can fail with. */
export interface Failure {
  error: HostUnavailable | Fault;
  /** Undefined where it was no application's. */
  push: { applicationId: string; branch: string } | undefined;
}

export interface PutOff {
  payload: DeliveryPayload;
  failures: Failure[];
  /** What has failed before was tried again. */
  isDue: boolean;
  now: number;
}

type Db = ActDeps['store']['db'];

/** What passes by itself in moments, as against a host that is down; if it does not, it has to wait like one. */
const SOON_MS = 2000;
const SOON_TRIES = 30;
/** People are told when a push still could not be acted on after so many tries. */
const TOLD_AFTER_TRIES = 3;

/**
 * A host that is down for hours is no failure of the job, which would be for the operator to look at. Null when nothing
 * has failed.
 */
export async function putOff(
  { store }: Pick<ActDeps, 'store'>,
  { payload, failures, isDue, now }: PutOff,
  { log }: Act,
): Promise<FailedSoFar | { givenUp: string } | null> {
  const { provider, deliveryId, failing: before } = payload;
  if (before && !isDue) return joined(before, failures);
  if (failures.length === 0) return null;
  const applicationIds = idsOf(failures);
  const failing = { since: before?.since ?? now, tries: (before?.tries ?? 0) + 1, applicationIds };
  const delayMs =
    failures.every(passesSoon) && failing.tries < SOON_TRIES
      ? SOON_MS
      : nextTryMs(failing, { now, retryAfterSeconds: Math.max(...failures.map(retryAfterOf)) });
  const reason = failures[0]!.error.message;
  log.info({ provider, deliveryId, tries: failing.tries, reason }, 'what a repository host told is not yet acted on');
  await noteTroubles(store.db, { failures, tries: failing.tries });
  if (failing.tries === TOLD_AFTER_TRIES) await tellPeople(store.db, failures);
  if (delayMs !== null) return { failing, dueAt: now + delayMs };
  log.warn({ provider, deliveryId, reason }, 'what a repository host told was given up');
  return { givenUp: `Given up. ${reason}` };
}

/** What fails when it no longer has to wait for a build is tried again together with what has failed before. */
function joined(failing: NonNullable<DeliveryPayload['failing']>, failures: Failure[]): FailedSoFar {
  const applicationIds = [...new Set([...failing.applicationIds, ...idsOf(failures)])];
  return { failing: { ...failing, applicationIds }, dueAt: failing.notBefore ?? 0 };
}

const idsOf = (failures: Failure[]): string[] => [
  ...new Set(failures.flatMap(({ push }) => (push ? [push.applicationId] : []))),
];
const passesSoon = ({ error }: Failure): boolean => error instanceof Fault && error.code === 'CF001';
const retryAfterOf = ({ error }: Failure): number => (error instanceof HostUnavailable ? error.retryAfterSeconds : 0);

/** What somebody has to mend is said at once; what may pass by itself, when it has not. */
async function noteTroubles(db: Db, { failures, tries }: { failures: Failure[]; tries: number }): Promise<void> {
  for (const { push, error } of failures) {
    const isForPeople = error instanceof Fault && error.code === 'VA003';
    if (!push || !(isForPeople || tries >= TOLD_AFTER_TRIES)) continue;
    await notePushTrouble(db, push.applicationId, missedPush(push.branch, error.message));
  }
}

async function tellPeople(db: Db, failures: Failure[]): Promise<void> {
  for (const { push, error } of failures) {
    if (!push) continue;
    const { applicationId, branch } = push;
    const message = `A push to ${branch} could not be acted on so far. ${error.message}`;
    await db.transaction().execute((tx) => tellApplication(tx, { applicationId, message }));
  }
}
