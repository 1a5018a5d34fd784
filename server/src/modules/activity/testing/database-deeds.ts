import type { EndpointName } from '@lilac/contract/endpoints';
import { unique } from '../../../testing/factories.ts';
import type { ProjectWorld } from '../../applications/testing/project-world.ts';
import { SECRET, type Deed, type Deeds } from './deed.ts';
import type { Things } from './things.ts';

/** What people change about databases and what is in them. */
export function databaseDeeds(
  world: () => ProjectWorld,
  { call, newApplication, newFolder, newDatabase }: Things,
): Deeds {
  const ofDatabase = (name: EndpointName, action: string, body: object = {}): Deed => ({
    prepare: newDatabase,
    act: async ({ databaseId, name: subject }) => {
      await call(name, { databaseId, ...body });
      return { action, subject };
    },
  });

  /** A backup that was written; its file is no matter here. */
  async function newBackup() {
    const database = await newDatabase();
    const backup = {
      id: unique('bak'),
      database_id: database.databaseId,
      organisation_id: world().owner.organisationId,
      purpose: 'manual',
      status: 'ready',
      object_key: 'backups/one',
      size: 1,
      sha256: 'x',
    } as const;
    await world().api.store.db.insertInto('database_backups').values(backup).execute();
    return { ...database, backupId: backup.id };
  }

  async function newDump() {
    const id = unique('upl');
    const upload = {
      id,
      organisation_id: world().owner.organisationId,
      status: 'ready',
      file_name: 'dump.sql',
      content_type: 'application/sql',
      storage_path: `uploads/${id}.sql`,
      expires_at: new Date(Date.now() + 3_600_000),
    } as const;
    await world().api.store.db.insertInto('uploads').values(upload).execute();
    return { ...(await newDatabase()), uploadId: id };
  }

  return {
    'databases.create': {
      act: async () => {
        const name = unique('Database');
        await call('databases.create', { name, adminPassword: SECRET });
        return { action: 'database_created', subject: name };
      },
    },
    'databases.update': ofDatabase('databases.update', 'database_updated', { storageGb: 20 }),
    'databases.rotate-password': ofDatabase('databases.rotate-password', 'database_password_rotated', {
      newPassword: SECRET,
    }),
    'databases.provision': {
      prepare: async () => {
        const database = await newDatabase();
        await world()
          .api.store.db.updateTable('databases')
          .set({ status: 'failed' })
          .where('id', '=', database.databaseId)
          .execute();
        return database;
      },
      act: async ({ databaseId, name }) => {
        await call('databases.provision', { databaseId });
        return { action: 'database_provisioned', subject: name };
      },
    },
    'databases.import': {
      prepare: newDump,
      act: async ({ databaseId, uploadId, name }) => {
        await call('databases.import', { databaseId, uploadId });
        return { action: 'database_import_started', subject: name };
      },
    },
    'databases.backup': ofDatabase('databases.backup', 'database_backed_up'),
    'databases.restore': {
      prepare: newBackup,
      act: async ({ databaseId, backupId }) => {
        const name = unique('Restored');
        await call('databases.restore', { databaseId, backupId, name });
        return { action: 'database_restored', subject: name };
      },
    },
    'databases.move': {
      prepare: async () => ({ ...(await newFolder()), ...(await newDatabase()) }),
      act: async ({ databaseId, projectId, name }) => {
        await call('databases.move', { databaseId, targetFolderId: projectId });
        return { action: 'database_moved', subject: name };
      },
    },
    'databases.connect': {
      prepare: async () => ({ ...(await newApplication()), ...(await newDatabase()) }),
      act: async ({ databaseId, environmentId, name }) => {
        await call('databases.connect', { databaseId, environmentId });
        return { action: 'database_connected', subject: name };
      },
    },
    'databases.disconnect': {
      prepare: async () => {
        const both = { ...(await newApplication()), ...(await newDatabase()) };
        await call('databases.connect', { databaseId: both.databaseId, environmentId: both.environmentId });
        return both;
      },
      act: async ({ databaseId, environmentId, name }) => {
        await call('databases.disconnect', { databaseId, environmentId });
        return { action: 'database_disconnected', subject: name };
      },
    },
    'databases.delete': ofDatabase('databases.delete', 'database_deleted'),
    'databases.explorer.row': ofDatabase('databases.explorer.row', 'database_row_changed', {
      table: 'notes',
      operation: 'insert',
      values: { text: SECRET },
    }),
    'databases.explorer.table': ofDatabase('databases.explorer.table', 'database_table_changed', {
      table: 'notes',
      operation: 'drop',
    }),
    'databases.explorer.query': ofDatabase('databases.explorer.query', 'database_statement_run', {
      statement: `select '${SECRET}'`,
      readOnly: false,
    }),
  };
}
