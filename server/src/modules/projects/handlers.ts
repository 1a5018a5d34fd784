import type { Store } from '../../db/pool.ts';
import type { HandlersFor } from '../../http/handler.ts';
import { conflict, notFound } from '../../lib/fault.ts';
import { newId } from '../../lib/ids.ts';
import { presentProject } from './present.ts';
import { deleteProject, insertProject, listProjects, renameProject } from './project-store.ts';

export interface ProjectsDeps {
  store: Pick<Store, 'db'>;
}

export function projectHandlers({ store: { db } }: ProjectsDeps): HandlersFor<'projects'> {
  return {
    'projects.list': async ({ body, organisation }) => {
      const page = await listProjects(db, organisation.id, body);
      return { ...page, items: page.items.map(presentProject) };
    },
    'projects.create': async ({ body, organisation }) => {
      const project = { id: newId('fld'), organisation_id: organisation.id, name: body.name.trim() };
      const created = await insertProject(db, project);
      if (!created) throw nameTaken();
      return presentProject(created);
    },
    'projects.rename': async ({ body, resource }) => {
      const renamed = await renameProject(db, resource.id, body.name.trim());
      if (renamed === 'taken') throw nameTaken();
      if (!renamed) throw notFound('Folder');
      return presentProject(renamed);
    },
    'projects.delete': async ({ resource }) => {
      await deleteProject(db, resource.id);
      return { message: 'The folder is deleted; what it held is at the root.' };
    },
  };
}

const nameTaken = () => conflict('The organisation has a folder of this name already. Choose another name.');
