import type { Store } from '../../db/pool.ts';
import type { HandlersFor } from '../../http/handler.ts';
import { newId } from '../../lib/ids.ts';
import { createFolder, deleteFolder, renameFolder } from './change-folders.ts';
import { presentProject } from './present.ts';
import { listProjects } from './project-store.ts';

export interface ProjectsDeps {
  store: Pick<Store, 'db'>;
}

export function projectHandlers({ store: { db } }: ProjectsDeps): HandlersFor<'projects'> {
  return {
    'projects.list': async ({ body, organisation }) => {
      const page = await listProjects(db, organisation.id, body);
      return { ...page, items: page.items.map(presentProject) };
    },
    'projects.create': async ({ body, organisation, caller }) => {
      const folder = { id: newId('fld'), organisation_id: organisation.id, name: body.name.trim() };
      return presentProject(await createFolder(db, folder, caller));
    },
    'projects.rename': async ({ body, resource, caller }) =>
      presentProject(await renameFolder(db, { ...resource, name: body.name.trim() }, caller)),
    'projects.delete': async ({ resource, caller }) => {
      await deleteFolder(db, resource, caller);
      return { message: 'The folder is deleted; what it held is at the root.' };
    },
  };
}
