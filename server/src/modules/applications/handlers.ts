import type { Store } from '../../db/pool.ts';
import type { HandlersFor } from '../../http/handler.ts';
import { listApplications, listEnvironmentsOf } from './application-store.ts';
import { applicationUrl } from './application.ts';
import { moveApplication } from './move-application.ts';
import { presentApplication, type UrlConfig } from './present.ts';

export interface ApplicationsDeps {
  store: Pick<Store, 'db'>;
  config: UrlConfig;
}

export function applicationHandlers({ store: { db }, config }: ApplicationsDeps): HandlersFor<'applications'> {
  return {
    'applications.list': async ({ body, organisation }) => {
      const page = await listApplications(db, organisation.id, body);
      return { ...page, items: page.items.map((row) => presentApplication(config, row)) };
    },
    'applications.get': async ({ resource }) => ({
      ...presentApplication(config, resource),
      environments: await listEnvironmentsOf(db, resource.id),
    }),
    // Polled: admission's one query has read everything already.
    'applications.status': ({ resource: { id, status, slug } }) => ({ id, status, url: applicationUrl(config, slug) }),
    'applications.move': async ({ body: { targetFolderId }, resource }) => {
      await moveApplication(db, resource, targetFolderId);
      return { id: resource.id, project_id: targetFolderId };
    },
  };
}
