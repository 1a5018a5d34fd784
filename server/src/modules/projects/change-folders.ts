import type { Db } from '../../db/pool.ts';
import type { ProjectRow } from '../../db/schema.ts';
import type { Caller } from '../../http/handler.ts';
import { conflict, notFound } from '../../lib/fault.ts';
import { recordActivity } from '../activity/record-activity.ts';
import { deleteProject, insertProject, lockProject, renameProject } from './project-store.ts';

type Folder = Pick<ProjectRow, 'id' | 'organisation_id' | 'name'>;

export function createFolder(db: Db, folder: Folder, caller: Caller): Promise<ProjectRow> {
  return db.transaction().execute(async (tx) => {
    const created = await insertProject(tx, folder);
    if (!created) throw nameTaken();
    await recordActivity(tx, { ...deedOn(created), action: 'folder_created', caller });
    return created;
  });
}

/** The name that it has already leaves no trace. */
export function renameFolder(db: Db, { id, name }: Pick<Folder, 'id' | 'name'>, caller: Caller): Promise<ProjectRow> {
  return db.transaction().execute(async (tx) => {
    const before = await lockProject(tx, id);
    if (!before) throw notFound('Folder');
    if (before.name === name) return before;
    const renamed = await renameProject(tx, id, name);
    if (renamed === 'taken') throw nameTaken();
    await recordActivity(tx, { ...deedOn(renamed), action: 'folder_renamed', caller });
    return renamed;
  });
}

/** What it held is at the root afterwards. Asked for again, it changes nothing. */
export function deleteFolder(db: Db, { id }: Pick<Folder, 'id'>, caller: Caller): Promise<void> {
  return db.transaction().execute(async (tx) => {
    const deleted = await deleteProject(tx, id);
    if (deleted) await recordActivity(tx, { ...deedOn(deleted), action: 'folder_deleted', caller });
  });
}

const deedOn = ({ organisation_id: organisationId, name: subject }: Folder) => ({ organisationId, subject });

const nameTaken = () => conflict('The organisation has a folder of this name already. Choose another name.');
