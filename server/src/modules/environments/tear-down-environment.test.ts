import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findJob } from '../../jobs/queue-store.ts';
import { createWorker } from '../../jobs/worker.ts';
import { silentLog } from '../../lib/log.ts';
import { entry } from '../../logs/testing/log-world.ts';
import { writeLog } from '../../logs/testing/write-log.ts';
import { eventually } from '../../testing/eventually.ts';
import { environmentJobs } from './jobs.ts';
import { tearDownEnvironment, type TearDownDeps } from './tear-down-environment.ts';
import { openTearDownWorld, type TearDownWorld } from './testing/tear-down-world.ts';

let world: TearDownWorld;
beforeAll(async () => {
  world = await openTearDownWorld();
});
afterAll(() => world[Symbol.asyncDispose]());

const never = new AbortController().signal;
const stop = () => Promise.reject(new Error('killed'));

/** Of the applications; their environments are told by their own rows. */
async function totalDeleting(): Promise<number> {
  const { db } = world.api.store;
  const rows = await db.selectFrom('applications').select('id').where('status', '=', 'deleting').execute();
  return rows.length;
}

async function countRows(environmentId: string): Promise<number> {
  const { rows } = await world.api.store.pool.query<{ count: number }>(
    `select (select count(*) from deployments where environment_id = $1)::int
       + (select count(*) from artifacts where environment_id = $1)::int
       + (select count(*) from log_chunks where environment_id = $1)::int
       + (select count(*) from environments where id = $1)::int as count`,
    [environmentId],
  );
  return rows[0]!.count;
}

describe('tearing an environment down', () => {
  it('removes its rows, files, caches and archives, and nothing of others', async () => {
    const kept = await world.release(await world.productionOf(await world.create('Stays')));
    const before = await world.keys();
    const { id: applicationId } = await world.create('Cleared');
    const production = await world.productionOf({ id: applicationId });
    const preview = await world.createPreview(applicationId);
    const [own, shared] = [await world.readyUpload(), await world.readyUpload()];
    for (const upload of [own, shared]) await world.objects.put(upload.storage_path, Buffer.from('zip'));
    await world.release(preview, own.id);
    await world.release(preview, shared.id);
    await world.release(production, shared.id);
    await writeLog(world.api.store.db, preview.id, [entry({ message: 'here' })]);
    expect(await countRows(preview.id)).toBe(6);
    await world.remove('environments', { environmentId: preview.id });
    await world.tearDown(preview.id);
    expect(await countRows(preview.id)).toBe(0);
    expect(world.forgotten).toContain(preview.id);
    expect(await world.objects.stat(own.storage_path)).toBeNull();
    expect(await world.objects.stat(shared.storage_path)).not.toBeNull();
    await world.remove('applications', { applicationId });
    await world.tearDown(production.id);
    expect(await world.keys()).toEqual(before);
    const { rows } = await world.api.store.pool.query('select id from uploads where id = any($1)', [
      [own.id, shared.id],
    ]);
    expect(rows).toEqual([]);
    const { rows: left } = await world.api.store.pool.query('select id from artifacts where id = $1', [kept]);
    expect(left).toHaveLength(1);
  });

  it('is the same when it is begun again after having stopped at any step', async () => {
    const { id: applicationId } = await world.create('Interrupted');
    const before = await world.keys();
    const preview = await world.createPreview(applicationId);
    const upload = await world.readyUpload();
    await world.objects.put(upload.storage_path, Buffer.from('zip'));
    await world.release(preview, upload.id);
    await world.remove('environments', { environmentId: preview.id });
    const interrupted: TearDownDeps[] = [
      { ...world.deps, builder: { forgetEnvironment: stop } },
      { ...world.deps, objects: { ...world.objects, remove: stop } },
    ];
    for (const broken of interrupted) {
      await expect(tearDownEnvironment(broken, preview.id, never)).rejects.toThrow('killed');
      expect((await world.call('/api/environments/status', { environmentId: preview.id })).body.status).toBe(
        'deleting',
      );
    }
    await expect(tearDownEnvironment(world.deps, preview.id, AbortSignal.abort())).rejects.toThrow(/aborted/);
    await world.tearDown(preview.id);
    await world.tearDown(preview.id);
    expect(await countRows(preview.id)).toBe(0);
    expect(await world.keys()).toEqual(before);
  });

  it('leaves alone what nobody has deleted', async () => {
    const production = await world.productionOf(await world.create('Alive'));
    await world.tearDown(production.id);
    expect(await world.statusOf(production.id)).toBe(200);
  });

  it('waits until a release of it has ended', async () => {
    const { id: applicationId } = await world.create('Releasing');
    const preview = await world.createPreview(applicationId);
    const { body: deployment } = await world.call('/api/environments/deploy', { environmentId: preview.id });
    await world.remove('environments', { environmentId: preview.id });
    const { pool } = world.api.store;
    const setState = (state: string) => pool.query('update jobs set state = $1 where id = $2', [state, job_id]);
    const { rows } = await pool.query<{ job_id: string }>('select job_id from deployments where id = $1', [
      deployment.id,
    ]);
    const { job_id } = rows[0]!;
    await setState('running');
    const seen: string[] = [];
    const builder = {
      async forgetEnvironment() {
        seen.push((await findJob(world.api.store.db, job_id))!.state);
      },
    };
    const tearingDown = tearDownEnvironment({ ...world.deps, builder }, preview.id, never);
    for (let look = 0; look < 20; look++) expect(await world.statusOf(preview.id)).toBe(200);
    await setState('done');
    await tearingDown;
    expect(seen).toEqual(['done']);
    expect(await world.statusOf(preview.id)).toBe(404);
  });

  it('is done by a worker, soon after the call', async () => {
    const { id: applicationId } = await world.create('By worker');
    await world.remove('applications', { applicationId });
    const worker = createWorker({
      store: world.api.store,
      log: silentLog,
      name: 'tear-down',
      handlers: environmentJobs(world.deps),
    });
    await worker.start();
    await eventually('the application is gone', async () => {
      return (await world.call('/api/applications/status', { applicationId })).status === 404;
    });
    await worker.stop();
    expect(await totalDeleting()).toBe(0);
  });

  it('is enqueued again for one whose job was lost', async () => {
    const { id: applicationId } = await world.create('Lost');
    const preview = await world.createPreview(applicationId);
    await world.remove('environments', { environmentId: preview.id });
    const { pool } = world.api.store;
    await pool.query(`delete from jobs where kind = 'environments.tear-down'`);
    await pool.query(`update environments set updated_at = now() - interval '1 hour' where id = $1`, [preview.id]);
    const resume = environmentJobs(world.deps).find(({ everyMs }) => everyMs !== undefined)!;
    const context = { jobId: '1', claim: '', attempt: 1, signal: never, log: silentLog };
    await resume.run({}, context);
    await resume.run({}, context);
    const { rows } = await pool.query(`select payload from jobs where kind = 'environments.tear-down'`);
    expect(rows).toEqual([{ payload: { environmentId: preview.id } }]);
  });
});
