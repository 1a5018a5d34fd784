import { clampRange } from '../../db/page.ts';
import type { HandlersFor } from '../../http/handler.ts';
import { listActivityOf } from '../activity/activity-store.ts';
import { presentActivity } from '../activity/present.ts';
import { listDatabasesOf } from '../databases/links/link-store.ts';
import { presentConnected } from '../databases/links/present.ts';
import type { DomainEndpoint } from '../domains/handlers.ts';
import { createEnvironment } from './create-environment.ts';
import { deleteEnvironment } from './delete-environment.ts';
import { deployEnvironment } from './deploy-environment.ts';
import { listEnvironments } from './environment-store.ts';
import type { EnvironmentsDeps } from './environments-deps.ts';
import { presentEnvironment, presentStarted } from './present.ts';
import { protectEnvironment } from './protect-environment.ts';
import { scaleEnvironment } from './scale-environment.ts';
import { toggleAccessLog } from './toggle-access-log.ts';
import { unlockEnvironment } from './unlock-environment.ts';
import { updateEnvironment } from './update-environment.ts';
import { troubleOf } from './trouble-of.ts';
import { openVariables } from './variables.ts';

export function environmentHandlers(deps: EnvironmentsDeps): Omit<HandlersFor<'environments'>, DomainEndpoint> {
  const { store, config, keyring } = deps;
  return {
    'environments.list': async ({ resource }) => {
      const rows = await listEnvironments(store.db, resource.id);
      return rows.map((row) => presentEnvironment(config, row));
    },
    'environments.get': async ({ resource }) => ({
      ...presentEnvironment(config, resource),
      trouble: await troubleOf(deps.store.db, resource),
      environment_vars: openVariables(keyring, resource),
    }),
    // Polled: admission's one query has read everything already.
    'environments.status': ({ resource: { id, status } }) => ({ id, status }),
    'environments.create': async ({ body, resource, organisation: { plan }, caller }) =>
      presentEnvironment(config, await createEnvironment(deps, { application: resource, plan, caller, body })),
    'environments.update': async ({ body, resource, organisation: { plan }, caller }) =>
      presentEnvironment(config, await updateEnvironment(deps, { environment: resource, plan, caller, update: body })),
    'environments.scale': async ({ body, resource, organisation: { plan }, caller }) =>
      presentEnvironment(config, await scaleEnvironment(deps, { environment: resource, plan, caller, bounds: body })),
    'environments.password': async ({ body, resource, caller }) =>
      presentEnvironment(config, await protectEnvironment(deps, { environment: resource, caller, protection: body })),
    'environments.access-log': async ({ body: { enabled }, resource, caller }) =>
      presentEnvironment(config, await toggleAccessLog(deps, { environment: resource, enabled, caller })),
    'environments.unlock': async ({ body, client: { address, isSecure }, response }) => {
      const cookie = await unlockEnvironment(deps, { ...body, address, isSecure });
      if (cookie !== null) response.setCookie(cookie);
      return { unlocked: true };
    },
    'environments.deploy': async ({ body: { uploadId }, resource, caller }) =>
      presentStarted(await deployEnvironment(deps, { environment: resource, uploadId, caller })),
    'environments.delete': async ({ resource, caller }) => {
      await deleteEnvironment(deps, { environment: resource, caller });
      return { message: 'The environment is being deleted; its address has stopped.' };
    },
    'environments.databases': async ({ resource }) =>
      (await listDatabasesOf(store.db, resource.id)).map(presentConnected),
    'environments.activity': async ({ body, resource }) => {
      const rows = await listActivityOf(store.db, resource.id, clampRange(body));
      return rows.map(presentActivity);
    },
  };
}
