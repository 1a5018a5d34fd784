import type { ApplicationRow } from '../../db/schema.ts';
import type { Handlers } from '../../http/handler.ts';
import { notFound } from '../../lib/fault.ts';
import { presentStarted } from '../environments/present.ts';
import { pushStandingOf } from '../vcs/hooks/push-standing.ts';
import { findTenant, listApplications, listEnvironmentsOf, readProductions } from './application-store.ts';
import { applicationUrl } from './application.ts';
import type { ApplicationsDeps } from './applications-deps.ts';
import { createApplication } from './create-application.ts';
import { createFromUpload } from './create-from-upload.ts';
import { deleteApplication } from './delete-application.ts';
import { deployApplication } from './deploy-application.ts';
import { moveApplication } from './move-application.ts';
import { presentApplication, presentListed, presentWithEnvironments } from './present.ts';
import { renameApplication } from './rename-application.ts';
import { assertAlone, updatePushSettings } from './update-push-settings.ts';
import { updateRepository } from './update-repository.ts';

/** What looks into repositories before there is an application is the repositories module's. */
type ApplicationHandlers = Pick<
  Handlers,
  `applications.${'list' | 'get' | 'status' | 'create' | 'create-from-upload' | 'deploy' | 'update' | 'rename' | 'move' | 'delete' | 'lookup'}`
>;

export function applicationHandlers(deps: ApplicationsDeps): ApplicationHandlers {
  const {
    store: { db },
    config,
  } = deps;
  const present = async (application: ApplicationRow) =>
    presentWithEnvironments(config, application, {
      environments: await listEnvironmentsOf(db, application.id),
      pushes: await pushStandingOf(db, application),
    });
  return {
    'applications.list': async ({ body, organisation }) => {
      const page = await listApplications(db, organisation.id, body);
      const productions = await readProductions(
        db,
        page.items.map(({ id }) => id),
      );
      return { ...page, items: page.items.map((row) => presentListed(config, row, productions.get(row.id))) };
    },
    'applications.get': async ({ resource }) => present(resource),
    // Polled: admission's one query has read everything already.
    'applications.status': ({ resource: { id, status, slug } }) => ({ id, status, url: applicationUrl(config, slug) }),
    'applications.create': async (request) => presentApplication(config, await createApplication(deps, request)),
    'applications.create-from-upload': async (request) =>
      presentApplication(config, await createFromUpload(deps, request)),
    'applications.deploy': async ({ body: { environmentId, uploadId }, resource, caller }) =>
      presentStarted(await deployApplication(deps, { application: resource, environmentId, uploadId, caller })),
    'applications.update': async ({ body, resource, caller }) => {
      const { vcsRepoUrl, ...given } = body;
      if (vcsRepoUrl === undefined)
        return present(await updatePushSettings(db, { application: resource, given, caller }));
      assertAlone(given);
      return present(await updateRepository(deps, { application: resource, vcsRepoUrl, caller }));
    },
    'applications.rename': async ({ body, resource, caller }) => {
      const request = { application: resource, name: body.name.trim(), caller };
      return presentApplication(config, await renameApplication(deps, request));
    },
    'applications.move': async ({ body: { targetFolderId }, resource, caller }) => {
      await moveApplication(db, { application: resource, folderId: targetFolderId, caller });
      return { id: resource.id, project_id: targetFolderId };
    },
    'applications.delete': async ({ resource, caller }) => {
      await deleteApplication(deps, { application: resource, caller });
      return { message: 'The application is being deleted; its addresses have stopped.' };
    },
    'applications.lookup': async ({ params, organisation }) => {
      const subdomain = params.subdomain.toLowerCase();
      const tenant = await findTenant(db, { organisationId: organisation.id, subdomain });
      if (!tenant) throw notFound('Application');
      const { id, name, environment_id } = tenant;
      return { id, name, environment_id, url: applicationUrl(config, tenant.subdomain) };
    },
  };
}
