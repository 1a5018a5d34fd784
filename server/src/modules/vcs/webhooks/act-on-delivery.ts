import type { Tx } from '../../../db/pool.ts';
import type { EndedJob } from '../../../jobs/job.ts';
import { Fault } from '../../../lib/fault.ts';
import { HostUnavailable } from '../../../vcs/vcs-host.ts';
import { isEnabled } from '../../catalogue/feature-flags.ts';
import { actOnInstallation } from './act-on-installation.ts';
import { actOnPush } from './act-on-push.ts';
import { BranchBeingRead } from './branch-being-read.ts';
import { findDelivery, type StoredDelivery } from './delivery-store.ts';
import { isFailingDue, isTurnOf, nextTurn, type NextTurn } from './delivery-turns.ts';
import { enqueueDelivery, type DeliveryPayload } from './job-kinds.ts';
import { listPushedApplications } from './push-store.ts';
import { putOff, type Failure } from './put-off.ts';
import type { Act, ActDeps } from './webhooks-deps.ts';

export type Acted = { again: NextTurn } | { done: string };

interface Outcome {
  failures: Failure[];
  /** The applications that only wait for a build. */
  waiting: string[];
}

/** May be run again from the start at any time: what was done is not done twice. */
export async function actOnDelivery(deps: ActDeps, payload: DeliveryPayload, act: Act): Promise<Acted> {
  const { provider } = payload;
  const delivery = await findDelivery(deps.store.db, payload);
  if (!delivery) return { done: 'It is no longer there.' };
  if (provider !== 'provider1' && !isEnabled(deps.config, provider)) return { done: 'The feature is off.' };
  const now = deps.clock.now().getTime();
  const isDue = isFailingDue(payload, now);
  const { failures, waiting } = await actOnEvents(deps, { payload, delivery, isDue }, act);
  const failed = await putOff(deps, { payload, failures, isDue, now }, act);
  const next = nextTurn(payload, { failed: failed && 'failing' in failed ? failed : null, waiting, now });
  if (next) return { again: next };
  return { done: failed && 'givenUp' in failed ? failed.givenUp : 'Acted on.' };
}

async function actOnEvents(
  deps: ActDeps,
  { payload, delivery, isDue }: { payload: DeliveryPayload; delivery: StoredDelivery; isDue: boolean },
  act: Act,
): Promise<Outcome> {
  const failures: Failure[] = [];
  const waiting = new Set<string>();
  const faults: unknown[] = [];
  const attempt = async (work: Promise<void>, push?: Failure['push']): Promise<void> => {
    try {
      await work;
    } catch (error) {
      act.signal.throwIfAborted();
      if (error instanceof BranchBeingRead && push) waiting.add(push.applicationId);
      else if (error instanceof HostUnavailable || error instanceof Fault) failures.push({ error, push });
      else faults.push(error);
    }
  };
  for (const event of delivery.events) {
    if (event.kind === 'installation') {
      if (isDue) await attempt(actOnInstallation(deps, event, act));
      continue;
    }
    for (const application of await listPushedApplications(deps.store.db, payload.provider, event)) {
      const { id: applicationId } = application;
      if (!isTurnOf(payload, { applicationId, isDue })) continue;
      const push = { application, event, receivedAt: delivery.receivedAt };
      await attempt(actOnPush(deps, push, act), { applicationId, branch: event.branch });
    }
  }
  // Only now: what goes wrong for one application keeps no other waiting.
  if (faults.length > 0) throw faults[0];
  return { failures, waiting: [...waiting] };
}

/** Written together with the end of the job: a worker that is killed loses nothing. */
export async function actAgain(tx: Tx, end: EndedJob): Promise<void> {
  const result = end.state === 'done' ? (end.result as Acted) : null;
  if (!result || !('again' in result)) return;
  const { payload, delayMs } = result.again;
  const delivery = await findDelivery(tx, payload);
  if (delivery) await enqueueDelivery(tx, payload, { events: delivery.events, delayMs });
}
