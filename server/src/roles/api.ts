import { chmodSync, rmSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { pathsOf } from '../config.ts';
import { systemClock } from '../lib/clock.ts';
import { issueSetupLink } from '../modules/accounts/setup-link.ts';
import { keepVitals } from '../modules/platform/keep-vitals.ts';
import { machineNameOf } from '../routing/edge-names.ts';
import { tellMachine } from '../routing/tell-machine.ts';
import { buildApi } from '../wire/api.ts';
import { buildObjectServer } from '../wire/objects.ts';
import { openPeerDoor } from './open-peer-door.ts';
import { openRoleKeyring } from './open-role-keyring.ts';
import { openRoleStore } from './open-role-store.ts';
import type { RoleContext, StopRole } from './run-role.ts';

const CONNECTIONS = 10;
/** From an edge's look at the socket to its request's arrival. */
const LAST_REQUESTS_MS = 100;

/** Below the supervisor's patience. Who is cut off has stored nothing, and may send again. */
const LAST_UPLOADS_MS = 1000;

/** The same, for what edges of other hosts have asked. */
const LAST_ANSWERS_MS = 1000;

/** The api listens on a unix socket that only the platform's own processes can reach. */
export async function startApi(context: RoleContext): Promise<StopRole> {
  const { config, log, lifeline, place } = context;
  const paths = pathsOf(config);
  // By it a restore sees from any host that this process is there; a store of our own has the supervisor's lock for
  // that.
  const kept = config.databaseUrl ? 1 : 0;
  const store = await openRoleStore(context, { applicationName: 'api', max: CONNECTIONS, kept });
  const keyring = await openRoleKeyring(context, store);
  const deps = { config, store, keyring, clock: systemClock, log };
  const [app, objectServer] = await Promise.all([buildApi(deps), buildObjectServer(deps)]);
  // A killed api leaves its socket behind.
  rmSync(paths.apiSocket, { force: true });
  await app.listen({ path: paths.apiSocket });
  chmodSync(paths.apiSocket, 0o600);
  await objectServer.listen(paths.objectsSocket);
  const door = await openPeerDoor({ ...deps, app, objectServer });
  lifeline.onMessage((message) => {
    if (message.type !== 'issue-setup-link') return;
    issueSetupLink({ store, config }).then(
      (url) => lifeline.send({ type: 'setup-link', url }),
      (error: unknown) => {
        log.error({ err: error }, 'The set-up link could not be made');
        return lifeline.send({ type: 'setup-link', url: null });
      },
    );
  });
  const stopVitals = keepVitals({ db: store.db, log, config, role: 'api', place });
  const stopTelling = tellMachine({ store, name: machineNameOf(config, 'api'), log });
  return async () => {
    stopVitals();
    stopTelling();
    // Without its socket the edges hold new requests for the next api; what they sent before is answered.
    rmSync(paths.apiSocket, { force: true });
    rmSync(paths.objectsSocket, { force: true });
    await door?.withdraw();
    await delay(LAST_REQUESTS_MS);
    await Promise.all([app.close(), objectServer.close(LAST_UPLOADS_MS), door?.close(LAST_ANSWERS_MS)]);
    await store.close();
  };
}
