import type { Tx } from '../../../db/pool.ts';
import type { ApplicationRow } from '../../../db/schema.ts';
import type { EndedJob } from '../../../jobs/job.ts';
import { Fault } from '../../../lib/fault.ts';
import { HostUnavailable, type HostEvent } from '../../../vcs/vcs-host.ts';
import { isEnabled } from '../../catalogue/feature-flags.ts';
import { notePushTrouble } from '../hooks/hook-store.ts';
import { nextTryMs } from '../statuses/next-try.ts';
import { tellApplication } from '../tell-application.ts';
import { actOnInstallation } from './act-on-installation.ts';
import { actOnPush } from './act-on-push.ts';
import { BranchBeingRead } from './branch-being-read.ts';
import { findDelivery, type StoredDelivery } from './delivery-store.ts';
import { enqueueDelivery, type DeliveryPayload } from './job-kinds.ts';
import { listPushedApplications } from './push-store.ts';
import type { Act, ActDeps } from './webhooks-deps.ts';

/** What was not done, of what hosts and git can fail with, and what only has to wait for a build. */
interface Failure<E = HostUnavailable | Fault | BranchBeingRead> {
  error: E;
  /** Left out where it was no application's. */
  applicationId?: string;
}

export type Acted = { again: { payload: DeliveryPayload; delayMs: number } } | { done: string };

/** What passes by itself in moments, as against a host that is down; if it does not, it has to wait like one. */
const SOON_MS = 2000;
const SOON_TRIES = 30;
/** A build that takes long to read a branch is looked at again after so long. */
const READ_AGAIN_MS = 3000;
/** People are told when a push still could not be acted on after so many tries. */
const TOLD_AFTER_TRIES = 3;

/** May be run again from the start at any time: what was done is not done twice. */
export async function actOnDelivery(deps: ActDeps, payload: DeliveryPayload, act: Act): Promise<Acted> {
  const { provider } = payload;
  const delivery = await findDelivery(deps.store.db, payload);
  if (!delivery) return { done: 'It is no longer there.' };
  if (provider !== 'provider1' && !isEnabled(deps.config, provider)) return { done: 'The feature is off.' };
  const failures: Failure[] = [];
  const faults: unknown[] = [];
  const attempt = async (work: Promise<void>, applicationId?: string): Promise<void> => {
    try {
      await work;
    } catch (error) {
      act.signal.throwIfAborted();
      if (isForeseen(error)) failures.push({ error, applicationId });
      else faults.push(error);
    }
  };
  for (const event of delivery.events) {
    if (event.kind === 'installation') {
      await attempt(actOnInstallation(deps, event, act));
      continue;
    }
    for (const application of await applicationsOf(deps, payload, event)) {
      const push = { application, event, receivedAt: delivery.receivedAt };
      await attempt(actOnPush(deps, push, act), application.id);
    }
  }
  // Only now: what goes wrong for one application keeps no other waiting.
  if (faults.length > 0) throw faults[0];
  if (failures.length === 0) return { done: 'Acted on.' };
  const real = failures.flatMap(({ error, ...of }) => (error instanceof BranchBeingRead ? [] : { error, ...of }));
  const applicationIds = [...new Set(failures.flatMap(({ applicationId }) => applicationId ?? []))];
  if (real.length === 0) return untilRead(deps, payload, applicationIds);
  return putOff(deps, { payload, delivery, failures: real, applicationIds }, act);
}

const isForeseen = (error: unknown): error is Failure['error'] =>
  error instanceof HostUnavailable || error instanceof Fault || error instanceof BranchBeingRead;

/** However long that takes: it is no failure, and nothing that people are to be told of. */
function untilRead(
  { clock }: ActDeps,
  { provider, deliveryId, failing }: DeliveryPayload,
  applicationIds: string[],
): Acted {
  const so = failing ?? { since: clock.now().getTime(), tries: 0 };
  return { again: { payload: { provider, deliveryId, failing: { ...so, applicationIds } }, delayMs: READ_AGAIN_MS } };
}

async function applicationsOf(
  { store }: ActDeps,
  { provider, failing }: DeliveryPayload,
  event: Extract<HostEvent, { kind: 'push' }>,
): Promise<ApplicationRow[]> {
  const applications = await listPushedApplications(store.db, provider, event);
  return failing ? applications.filter(({ id }) => failing.applicationIds.includes(id)) : applications;
}

interface PutOff {
  payload: DeliveryPayload;
  delivery: StoredDelivery;
  failures: Failure<HostUnavailable | Fault>[];
  /** Of these and of what only waits. */
  applicationIds: string[];
}

/** A host that is down for hours is no failure of the job, which would be for the operator to look at. */
async function putOff(
  { store, clock }: ActDeps,
  { payload, delivery, failures, applicationIds }: PutOff,
  { log }: Act,
): Promise<Acted> {
  const now = clock.now().getTime();
  const failing = { since: payload.failing?.since ?? now, tries: (payload.failing?.tries ?? 0) + 1, applicationIds };
  const delayMs =
    failures.every(passesSoon) && failing.tries < SOON_TRIES
      ? SOON_MS
      : nextTryMs(failing, { now, retryAfterSeconds: Math.max(...failures.map(retryAfterOf)) });
  const reason = failures[0]!.error.message;
  const { provider, deliveryId } = payload;
  log.info({ provider, deliveryId, tries: failing.tries, reason }, 'what a repository host told is not yet acted on');
  await noteTroubles(store.db, { failures, tries: failing.tries });
  if (failing.tries === TOLD_AFTER_TRIES) await tellPeople(store.db, { delivery, failures });
  if (delayMs === null) {
    log.warn({ provider, deliveryId, reason }, 'what a repository host told was given up');
    return { done: `Given up. ${reason}` };
  }
  return { again: { payload: { provider, deliveryId, failing }, delayMs } };
}

const passesSoon = ({ error }: Failure): boolean => error instanceof Fault && error.code === 'CF001';
const retryAfterOf = ({ error }: Failure): number => (error instanceof HostUnavailable ? error.retryAfterSeconds : 0);

/** What somebody has to mend is said at once; what may pass by itself, when it has not. */
async function noteTroubles(
  db: ActDeps['store']['db'],
  { failures, tries }: { failures: Failure[]; tries: number },
): Promise<void> {
  for (const { applicationId, error } of failures) {
    const isForPeople = error instanceof Fault && error.code === 'VA003';
    if (applicationId === undefined || !(isForPeople || tries >= TOLD_AFTER_TRIES)) continue;
    await notePushTrouble(db, applicationId, `The last push was not acted on. ${error.message}`);
  }
}

async function tellPeople(
  db: ActDeps['store']['db'],
  { delivery, failures }: { delivery: StoredDelivery; failures: Failure[] },
): Promise<void> {
  const branches = delivery.events.flatMap((event) => (event.kind === 'push' ? event.branch : []));
  for (const { applicationId, error } of failures) {
    if (applicationId === undefined) continue;
    const message = `A push to ${branches.join(', ')} could not be acted on so far. ${error.message}`;
    await db.transaction().execute((tx) => tellApplication(tx, { applicationId, message }));
  }
}

/** Written together with the end of the job: a worker that is killed loses nothing. */
export async function actAgain(tx: Tx, end: EndedJob): Promise<void> {
  const result = end.state === 'done' ? (end.result as Acted) : null;
  if (!result || !('again' in result)) return;
  const { payload, delayMs } = result.again;
  const delivery = await findDelivery(tx, payload);
  if (delivery) await enqueueDelivery(tx, payload, { events: delivery.events, delayMs });
}
