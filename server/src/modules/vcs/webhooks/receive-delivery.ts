import { createHash } from 'node:crypto';
import type { GitProvider } from '@lilac/contract/states';
import { Fault } from '../../../lib/fault.ts';
import {
  ForgedDelivery,
  type Delivery,
  type HostEvent,
  type VcsHost,
  type WebhookHead,
  type WebhookRequest,
} from '../../../vcs/vcs-host.ts';
import { assertProvider } from '../../catalogue/assert-provider.ts';
import type { VcsDeps } from '../vcs-deps.ts';
import { insertDelivery } from './delivery-store.ts';
import { enqueueDelivery } from './job-kinds.ts';
import { storableEvents, storableId } from './storable-events.ts';

/** Before the body is read: whoever has no signature to show is not listened to. */
export async function admitDelivery(
  deps: Pick<VcsDeps, 'config' | 'hosts'>,
  provider: GitProvider,
  head: WebhookHead,
): Promise<void> {
  assertProvider(deps.config, provider);
  if (!(await hostOf(deps, provider)).mayBeGenuine(head)) throw notTheHosts();
}

/**
 * Verifies what a host tells and writes it down, together with the job that acts on it: once the host is answered,
 * nothing of it can be lost. The same delivery again changes nothing.
 */
export async function receiveDelivery(
  deps: Pick<VcsDeps, 'store' | 'config' | 'hosts'>,
  provider: GitProvider,
  request: WebhookRequest,
): Promise<'accepted' | 'known'> {
  assertProvider(deps.config, provider);
  const { id, event, events: told } = await readDelivery(deps, provider, request);
  const events = storableEvents(told);
  const key = { provider, deliveryId: storableId(id) };
  return deps.store.db.transaction().execute(async (tx) => {
    const isNew = await insertDelivery(tx, {
      ...key,
      event: storableId(event),
      events: JSON.stringify(events),
      bodyHash: isTellingOnce(provider, events) ? createHash('sha256').update(request.body).digest() : null,
    });
    if (!isNew) return 'known';
    if (events.length > 0) await enqueueDelivery(tx, key, { events });
    return 'accepted';
  });
}

/**
 * What leads to builds, where the signature is of the body. A token proves no body; and of an installation the same may
 * be true again later, which leads to no more than a look at the host.
 */
function isTellingOnce(provider: GitProvider, events: readonly HostEvent[]): boolean {
  return provider !== 'provider2' && events.some(({ kind }) => kind === 'push');
}

async function readDelivery(
  deps: Pick<VcsDeps, 'hosts'>,
  provider: GitProvider,
  request: WebhookRequest,
): Promise<Delivery> {
  const host = await hostOf(deps, provider);
  try {
    return host.readDelivery(request);
  } catch (error) {
    if (error instanceof ForgedDelivery) throw notTheHosts();
    throw error;
  }
}

/** Whoever does not know the secret learns nothing: not even whether the host is set up. */
async function hostOf({ hosts }: Pick<VcsDeps, 'hosts'>, provider: GitProvider): Promise<VcsHost> {
  const host = await (provider === 'provider1' ? hosts.app() : hosts.connection(provider));
  if (!host) throw notTheHosts();
  return host;
}

const notTheHosts = () =>
  new Fault('CA002', 'The signature of this webhook is missing, or not that of the host: check its secret there.');
