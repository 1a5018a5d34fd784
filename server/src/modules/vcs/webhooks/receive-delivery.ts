import type { GitProvider } from '@lilac/contract/states';
import { Fault } from '../../../lib/fault.ts';
import { ForgedDelivery, type Delivery, type WebhookRequest } from '../../../vcs/vcs-host.ts';
import { assertProvider } from '../../catalogue/assert-provider.ts';
import type { VcsDeps } from '../vcs-deps.ts';
import { insertDelivery } from './delivery-store.ts';
import { enqueueDelivery } from './job-kinds.ts';
import { storableEvents, storableId } from './storable-events.ts';

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
  const { id, event, events } = await readDelivery(deps, provider, request);
  const key = { provider, deliveryId: storableId(id) };
  return deps.store.db.transaction().execute(async (tx) => {
    const isNew = await insertDelivery(tx, { ...key, event: storableId(event), events: storableEvents(events) });
    if (!isNew) return 'known';
    if (events.length > 0) await enqueueDelivery(tx, key, { events });
    return 'accepted';
  });
}

/** Whoever does not know the secret learns nothing: not even whether the host is set up. */
async function readDelivery(
  { hosts }: Pick<VcsDeps, 'hosts'>,
  provider: GitProvider,
  request: WebhookRequest,
): Promise<Delivery> {
  const host = await (provider === 'provider1' ? hosts.app() : hosts.connection(provider));
  if (!host) throw notTheHosts();
  try {
    return host.readDelivery(request);
  } catch (error) {
    if (error instanceof ForgedDelivery) throw notTheHosts();
    throw error;
  }
}

const notTheHosts = () =>
  new Fault('CA002', 'The signature of this webhook is missing, or not that of the host: check its secret there.');
