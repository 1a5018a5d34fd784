import { randomBytes } from 'node:crypto';
import { expect, onTestFinished } from 'vitest';
import { pathsOf } from '../../../config.ts';
import type { DatabaseRow } from '../../../db/schema.ts';
import { createWorker } from '../../../jobs/worker.ts';
import { silentLog } from '../../../lib/log.ts';
import { createLocalObjectStore } from '../../../objects/local/local-object-store.ts';
import { eventually } from '../../../testing/eventually.ts';
import { createUpload } from '../../../testing/factories.ts';
import { transferJobs } from '../transfer/jobs.ts';
import { restoreData } from '../transfer/restore-database.ts';
import { createDatabasesBench } from './databases-bench.ts';

/** The API, and a worker that also does what is about contents; it goes with the test. */
export async function openTransferBench() {
  const bench = await createDatabasesBench();
  const { config, store, clock } = bench.api;
  const objects = createLocalObjectStore({
    root: pathsOf(config).objects,
    signingKey: randomBytes(32),
    publicUrl: config.publicUrl,
  });
  const deps = { ...bench.deps, objects };
  bench.deps.transfers.restore = (id, signal) => restoreData(deps, id, signal);
  await bench.work();
  const transferring = async () => {
    const handlers = transferJobs(deps);
    const worker = createWorker({ store, log: silentLog, name: 'two', handlers });
    await worker.start();
    return worker;
  };
  const worker = await transferring();
  onTestFinished(async () => {
    await worker.stop({ finishMs: 0 });
    await bench[Symbol.asyncDispose]();
  });
  const contentsOf = async ({ id }: Pick<DatabaseRow, 'id'>) => (await bench.serversOf(id))[0]!.contents;
  const upload = async (bytes: Buffer, contentType = 'application/sql') => {
    const made = await createUpload(bench.api, { organisationId: bench.owner.organisationId, status: 'ready' });
    const columns = { content_type: contentType };
    await store.db.updateTable('uploads').set(columns).where('id', '=', made.id).execute();
    await objects.put(made.storage_path, bytes);
    return made.id;
  };
  const keys = async (prefix: string) => {
    const found: string[] = [];
    for await (const key of objects.list(prefix)) found.push(key);
    return found;
  };
  // Files go right after the row says that it is over.
  const untilNone = (prefix: string) =>
    eventually(`nothing is left in ${prefix}`, async () => (await keys(prefix)).length === 0);
  const begin = (databaseId: string, uploadId: string) => bench.call('/api/databases/import', { databaseId, uploadId });
  const importText = async (databaseId: string, text: string) => {
    expect(await begin(databaseId, await upload(Buffer.from(text)))).toMatchObject({ status: 200 });
    await eventually('it has ended', async () => (await bench.read(databaseId)).status !== 'updating');
    return bench.read(databaseId);
  };
  return { ...bench, deps, clock, objects, keys, untilNone, contentsOf, upload, begin, importText, transferring };
}
