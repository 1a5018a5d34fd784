import type { DatabaseType } from '@lilac/contract/states';
import type { DatabaseRow } from '../../../db/schema.ts';
import { eventually } from '../../../testing/eventually.ts';
import { createOwner, type TestOwner } from '../../../testing/factories.ts';
import { startApi, type Answer, type ApiOptions, type TestApi } from '../../../testing/harness.ts';
import { findDatabase } from '../database-store.ts';
import { serversOf } from '../server-store.ts';
import { databaseWorkOf, type DatabaseWork } from './database-work.ts';
import { createStandInEngine, type StandInEngine } from './stand-in-engine.ts';

/** The API beside stand-in engines, and workers on demand: `await using bench = await createDatabasesBench()`. */
export interface DatabasesBench extends DatabaseWork {
  api: TestApi;
  owner: TestOwner;
  engines: Record<DatabaseType, StandInEngine>;
  call(path: string, body?: object, who?: TestOwner): Promise<Answer>;
  /** Created over the API; fails when it is refused. */
  create(body?: object): Promise<DatabaseRow>;
  /** Created, and set up by a worker. */
  createHealthy(body?: object): Promise<DatabaseRow>;
  read(id: string): Promise<DatabaseRow>;
  waitFor(id: string, status: DatabaseRow['status']): Promise<DatabaseRow>;
  /** The notes of its servers, the primary's first. */
  serversOf(id: string): Promise<ReturnType<StandInEngine['servers']['get']>[]>;
  /** What the organisation's activity says, oldest first. */
  actions(): Promise<string[]>;
}

export async function createDatabasesBench(options: ApiOptions = {}): Promise<DatabasesBench> {
  const engines = { postgresql: createStandInEngine('postgresql'), mysql: createStandInEngine('mysql') };
  const api = await startApi({ ...options, engines });
  const owner = await createOwner(api);
  const work = databaseWorkOf(api, engines);
  const { db } = api.store;
  const bench: DatabasesBench = {
    ...work,
    api,
    owner,
    engines,
    call: (path, body = {}, who = owner) =>
      api.call(path, { token: who.token, body: { targetOrganisationId: who.organisationId, ...body } }),
    async create(body = {}) {
      const answer = await bench.call('/api/databases/create', { name: 'Shop', ...body });
      if (answer.status !== 201) throw new Error(`${answer.status} ${answer.text}`);
      return bench.read(answer.body.id as string);
    },
    async createHealthy(body) {
      const { id } = await bench.create(body);
      return bench.waitFor(id, 'healthy');
    },
    read: async (id) => (await findDatabase(db, id))!,
    async waitFor(id, status) {
      await eventually(`database ${id} is ${status}`, async () => {
        const row = await bench.read(id);
        if (row.status === 'failed' && status !== 'failed') throw new Error(`It failed: ${row.error}`);
        return row.status === status;
      });
      return bench.read(id);
    },
    async serversOf(id) {
      const { database_type } = await bench.read(id);
      return (await serversOf(db, id)).map((server) => engines[database_type].servers.get(server.id));
    },
    async actions() {
      const { body } = await bench.call('/api/organisations/activity', { limit: 100 });
      return (body as { action: string }[]).map(({ action }) => action).toReversed();
    },
    async [Symbol.asyncDispose]() {
      await work[Symbol.asyncDispose]();
      await api[Symbol.asyncDispose]();
    },
  };
  return bench;
}
