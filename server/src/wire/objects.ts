import type { Config } from '../config.ts';
import type { Store } from '../db/pool.ts';
import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import { createErrorKeeper } from '../modules/platform/keep-errors.ts';
import { standingOf } from '../modules/uploads/upload-store.ts';
import { lookAtObjects } from '../objects/look-at-objects.ts';
import type { ReceivingStore } from '../objects/object-store.ts';
import { openObjectStore } from '../objects/open-object-store.ts';
import { createObjectServer, type ObjectServer } from '../objects/server/object-server.ts';
import type { Keyring } from '../secrets/keyring.ts';
import { platformSecret } from '../secrets/platform-secrets-store.ts';

export interface ObjectsDeps {
  config: Config;
  store: Store;
  keyring: Keyring;
  clock: Clock;
  log: Log;
}

export async function openObjects(deps: ObjectsDeps): Promise<ReceivingStore> {
  void tellOfTrouble(deps);
  return await openObjectStore({ ...deps, signingKey: await platformSecret(deps, 'object-signing') });
}

/** Takes uploads at signed addresses: storage, not the API. */
export async function buildObjectServer(deps: ObjectsDeps): Promise<ObjectServer> {
  const signingKey = await platformSecret(deps, 'object-signing');
  const errors = createErrorKeeper({ db: deps.store.db, log: deps.log, role: 'api' });
  return createObjectServer({
    objects: await openObjectStore({ ...deps, signingKey }),
    signingKey,
    clock: deps.clock,
    log: deps.log,
    standingOf: (key) => standingOf(deps.store.db, key),
    keepError: (failure) => errors.keep({ ...failure, origin: 'objects.put', requestId: null, jobId: null }),
  });
}

/** Whoever starts it should see at once that files cannot be kept; what needs none goes on. */
async function tellOfTrouble({ config, log }: ObjectsDeps): Promise<void> {
  const { trouble } = await lookAtObjects(config);
  if (trouble !== null) log.error(trouble);
}
