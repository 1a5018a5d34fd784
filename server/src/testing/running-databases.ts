import type { DatabaseType } from '@lilac/contract/states';
import { pathsOf } from '../config.ts';
import { createWorker } from '../jobs/worker.ts';
import { silentLog } from '../lib/log.ts';
import { findDatabase } from '../modules/databases/database-store.ts';
import { databaseWorkOf } from '../modules/databases/testing/database-work.ts';
import { transferJobs } from '../modules/databases/transfer/jobs.ts';
import { createLocalObjectStore } from '../objects/local/local-object-store.ts';
import type { ObjectStore } from '../objects/object-store.ts';
import { createEngines } from '../wire/databases.ts';
import { eventually } from './eventually.ts';
import { createOwner, createUpload, type TestOwner } from './factories.ts';
import { startApi, type TestApi } from './harness.ts';

/** The API, and databases whose servers really run, made and kept as by the platform's own worker. */
export interface RunningDatabases extends AsyncDisposable {
  api: TestApi;
  owner: TestOwner;
  /** Made over the API; resolves to its id when it takes connections. */
  create(databaseType: DatabaseType): Promise<string>;
  /** Waits until nothing is being done to it. */
  settled(databaseId: string): Promise<void>;
  /** A file of SQL that somebody has uploaded. */
  upload(bytes: Buffer): Promise<string>;
}

export async function startRunningDatabases(): Promise<RunningDatabases> {
  const api = await startApi();
  const { engines } = createEngines(api);
  await Promise.all([engines.postgresql.open(), engines.mysql.open()]);
  const owner = await createOwner(api);
  const { store } = api;
  const work = databaseWorkOf(api, engines);
  const objects = openObjects(api);
  const handlers = transferJobs({ ...work.deps, objects });
  const transferring = createWorker({ store, log: silentLog, name: 'transfers', handlers });
  await Promise.all([work.work(), transferring.start()]);
  const { organisationId, token } = owner;
  const settled = (databaseId: string) =>
    eventually(`database ${databaseId} is settled`, async () => {
      const { status, error } = (await findDatabase(store.db, databaseId))!;
      if (status === 'failed') throw new Error(`It failed: ${error}`);
      return status === 'healthy' || status === 'degraded';
    });
  return {
    api,
    owner,
    settled,
    async create(databaseType) {
      const body = { targetOrganisationId: organisationId, name: databaseType, databaseType, storageGb: 1 };
      const { status, body: made, text } = await api.call('/api/databases/create', { token, body });
      if (status !== 201) throw new Error(text);
      await settled(made.id as string);
      return made.id as string;
    },
    async upload(bytes) {
      const { id, storage_path } = await createUpload(api, { organisationId, status: 'ready' });
      await store.db.updateTable('uploads').set({ content_type: 'application/sql' }).where('id', '=', id).execute();
      await objects.put(storage_path, bytes);
      return id;
    },
    async [Symbol.asyncDispose]() {
      await transferring.stop({ finishMs: 0 });
      await work[Symbol.asyncDispose]();
      for (const engine of Object.values(engines)) {
        for (const id of await engine.list()) await engine.destroy(id);
        await engine.close();
      }
      await api[Symbol.asyncDispose]();
    },
  };
}

/** Where the API keeps them. No address is signed here. */
function openObjects({ config }: TestApi): ObjectStore {
  const { publicUrl } = config;
  return createLocalObjectStore({ root: pathsOf(config).objects, signingKey: Buffer.alloc(32, 1), publicUrl });
}
