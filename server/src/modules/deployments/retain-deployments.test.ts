import { describe, expect, it } from 'vitest';
import { createDeployment, createUpload } from '../../testing/factories.ts';
import { endStuckDeployments } from './end-stuck-deployments.ts';
import { enqueueRetain } from './job-kinds.ts';
import { removeForgottenUploads, retainDeployments } from './retain-deployments.ts';
import { sweepStored } from './sweep-builds.ts';
import { createDeploymentsBench } from './testing/deployments-bench.ts';
import { eventually } from '../../testing/eventually.ts';
import { startStandInEdge } from './testing/stand-in-edge.ts';

describe('what is kept', () => {
  it('are the last twenty deployments and the files of the last ten that were live, and what is live', async () => {
    await using bench = await createDeploymentsBench();
    const { environment } = await bench.settle();
    const rows = [];
    for (let n = 0; n < 25; n++) rows.push(await createDeployment(bench, environment, { artifact_id: `art_${n}` }));
    await bench.store.pool.query('update environments set live_deployment_id = $1', [rows[2]!.id]);
    await retainDeployments(bench.deps, environment.id);
    const kept = await bench.store.db.selectFrom('deployments').select(['id', 'artifact_id']).execute();
    const expected = rows.filter((_row, n) => n === 2 || n >= 5).map((row) => row.id);
    expect(kept.map((row) => row.id).toSorted()).toEqual(expected.toSorted());
    const artifacts = kept.flatMap((row) => row.artifact_id ?? []);
    expect(artifacts.toSorted()).toEqual(
      ['art_2', ...Array.from({ length: 10 }, (_, n) => `art_${n + 15}`)].toSorted(),
    );
    expect(bench.removed.artifacts.toSorted()).toEqual(
      Array.from({ length: 15 }, (_, n) => `art_${n}`)
        .filter((id) => id !== 'art_2')
        .toSorted(),
    );
  });

  it('of archives is what a deployment that is kept was built from', async () => {
    await using bench = await createDeploymentsBench();
    const { environment } = await bench.settle();
    const organisationId = environment.organisation_id;
    const used = await createUpload(bench, { organisationId, status: 'consumed' });
    const forgotten = await createUpload(bench, { organisationId, status: 'consumed' });
    const ready = await createUpload(bench, { organisationId, status: 'ready' });
    await createDeployment(bench, environment, { upload_id: forgotten.id });
    for (let n = 0; n < 20; n++) await createDeployment(bench, environment, { upload_id: used.id });
    await retainDeployments(bench.deps, environment.id);
    expect(bench.removed.objects).toEqual([forgotten.storage_path]);
    const { rows } = await bench.store.pool.query('select id from uploads');
    expect(rows.map((row: { id: string }) => row.id).toSorted()).toEqual([used.id, ready.id].toSorted());
  });

  it('the sweep takes archives that an interrupted clean-up left', async () => {
    await using bench = await createDeploymentsBench();
    const { environment } = await bench.settle();
    const organisationId = environment.organisation_id;
    const left = await createUpload(bench, { organisationId, status: 'consumed' });
    await removeForgottenUploads(bench.deps, 'all');
    expect(bench.removed.objects).toEqual([left.storage_path]);
  });

  it('does not grow with the number of deployments', async () => {
    await using bench = await createDeploymentsBench();
    await using _edge = startStandInEdge(bench.store);
    const subject = await bench.settle();
    await bench.work();
    for (let n = 0; n < 24; n++) await bench.deploy(subject);
    expect(bench.builder.requests).toHaveLength(24);
    await bench.store.db.transaction().execute((tx) => enqueueRetain(tx, subject.environment.id));
    await eventually('the rest is forgotten', async () => {
      const { rows } = await bench.store.pool.query(
        'select (select count(*)::int from deployments) as deployments, (select count(*)::int from artifacts) as artifacts',
      );
      return rows[0].deployments === 20 && rows[0].artifacts === 10;
    });
  }, 60_000);

  it('is nobody’s business where the environment is gone', async () => {
    await using bench = await createDeploymentsBench();
    await retainDeployments(bench.deps, 'env_gone');
    expect(bench.removed).toEqual({ artifacts: [], objects: [] });
  });
});

describe('the watch', () => {
  it('ends what moves by its status though nothing moves it, and nothing else', async () => {
    await using bench = await createDeploymentsBench();
    const [stuck, waiting] = [await bench.settle(), await bench.settle()];
    const lost = await bench.start(stuck);
    const fine = await bench.start(waiting);
    await bench.store.pool.query(`update jobs set state = 'failed', finished_at = now() where id = $1`, [lost.job_id]);
    await endStuckDeployments(bench.deps);
    expect(await bench.read(lost.id)).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('interrupted'),
    });
    expect(await bench.statuses(stuck)).toMatchObject({ environment: 'failed', application: 'failed' });
    expect(await bench.read(fine.id)).toMatchObject({ status: 'pending' });
  });
});

describe('the sweep', () => {
  it('does each thing, though another fails', async () => {
    await using bench = await createDeploymentsBench();
    const done: string[] = [];
    const { environment } = await bench.settle();
    await createUpload(bench, { organisationId: environment.organisation_id, status: 'consumed' });
    await sweepStored({
      ...bench.deps,
      artifacts: { sweep: () => Promise.reject(new Error('no')) },
      gitSources: { sweep: async () => void done.push('git') },
    });
    expect(done).toEqual(['git']);
    expect(bench.removed.objects).toHaveLength(1);
  });
});
