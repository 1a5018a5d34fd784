import type { databases } from '@lilac/contract/databases';
import { createChangeListener } from '../../db/change-listener.ts';
import type { Handler } from '../../http/handler.ts';
import { addressOf } from './address-of.ts';
import { createDatabase } from './create-database.ts';
import { DATABASE_CHANNEL, listDatabases } from './database-store.ts';
import type { DatabasesDeps } from './databases-deps.ts';
import { deleteDatabase, namesOf } from './delete-database.ts';
import { followDatabase } from './follow-database.ts';
import { moveDatabase } from './move-database.ts';
import { presentChange, presentCreated, presentDatabase, presentState, presentStatus } from './present.ts';
import { provisionAgain } from './provision-again.ts';
import { readDatabaseMetrics } from './read-usage.ts';
import { rotatePassword } from './rotate-password.ts';
import { assertKept } from './hold-database.ts';
import { updateDatabase } from './update-database.ts';

type Endpoints = typeof databases;
type OwnEndpoint =
  `databases.${'list' | 'get' | 'status' | 'create' | 'connection-string' | 'update' | 'rotate-password' | 'metrics' | 'delete' | 'provision' | 'move' | 'stream'}`;

/** What is about the databases themselves; what is in them, and who is connected to them, is below. */
export function ownDatabaseHandlers(deps: DatabasesDeps): { [Name in OwnEndpoint]: Handler<Endpoints[Name]> } {
  const {
    store: { db },
    clock,
  } = deps;
  const changes = createChangeListener(deps, DATABASE_CHANNEL);
  return {
    'databases.list': async ({ body, organisation }) => {
      const page = await listDatabases(db, organisation.id, body);
      return { ...page, items: page.items.map(presentDatabase) };
    },
    'databases.get': ({ resource }) => presentDatabase(resource),
    // Polled: admission's one query has read everything already.
    'databases.status': ({ resource }) => presentStatus(resource),
    'databases.create': async (request) => presentCreated(await createDatabase(deps, request)),
    'databases.connection-string': async ({ resource }) => {
      assertKept(resource);
      return { connectionString: await addressOf(deps, resource) };
    },
    'databases.update': async ({ body, resource, caller }) => {
      const { targetOrganisationId: _organisation, databaseId: _database, ...update } = body;
      return presentChange(await updateDatabase(deps, { database: resource, update, caller }));
    },
    'databases.rotate-password': async ({ body: { newPassword }, resource, caller, response: { signal } }) => ({
      connectionString: await rotatePassword(deps, { database: resource, password: newPassword, caller, signal }),
    }),
    'databases.metrics': async ({ body: { timeRange }, resource: { id: databaseId } }) => {
      const nowMs = clock.now().getTime();
      return { databaseId, metrics: await readDatabaseMetrics(db, databaseId, { range: timeRange, nowMs }) };
    },
    'databases.delete': async ({ body: { force }, resource, caller }) => {
      const connected = await deleteDatabase(db, { database: resource, isForced: force, caller });
      const lost = connected.length > 0 ? ` These lost it: ${namesOf(connected)}.` : '';
      return { message: `The database is being deleted, with its data and its backups.${lost}` };
    },
    'databases.provision': async ({ resource, caller }) =>
      presentState(await provisionAgain(db, { database: resource, caller })),
    'databases.move': async ({ body: { targetFolderId }, resource, caller }) => {
      await moveDatabase(db, { database: resource, folderId: targetFolderId, caller });
      return { id: resource.id, project_id: targetFolderId };
    },
    'databases.stream': ({ resource, lastEventId, signal }) =>
      followDatabase({ db, changes }, { database: resource, lastEventId, signal }),
  };
}
