import { describe, expect, it } from 'vitest';
import { eventually } from '../../testing/eventually.ts';
import { createUpload } from '../../testing/factories.ts';
import { createDeploymentsBench, type DeploymentsBench } from './testing/deployments-bench.ts';
import { endless, failing, plan } from './testing/stand-in-builder.ts';
import { startStandInEdge } from './testing/stand-in-edge.ts';

const isBuilding = (bench: DeploymentsBench) => eventually('it builds', () => bench.builder.running() > 0);

const packed = /^==> Packed 3 files, 300 bytes, in [\d.]+ s$/;

describe('a deployment', () => {
  it('goes from pending to healthy, and says on the way what it is', async () => {
    await using bench = await createDeploymentsBench();
    await using edge = startStandInEdge(bench.store);
    const subject = await bench.settle();
    const { id } = await bench.start(subject);
    expect(await bench.read(id)).toMatchObject({ status: 'pending', stage: 'queued', vcs_branch: 'main' });
    expect(await bench.statuses(subject)).toEqual({ environment: 'pending', application: 'pending', live: null });
    const gate = Promise.withResolvers<void>();
    bench.builder.next = () => gate.promise;
    await bench.work();
    await isBuilding(bench);
    await eventually('it says so', async () => (await bench.read(id)).stage === 'building');
    expect(await bench.read(id)).toMatchObject({ status: 'building', commit_message: 'A change\n\nMore.', plan });
    expect(await bench.statuses(subject)).toEqual({ environment: 'deploying', application: 'building', live: null });
    gate.resolve();
    const done = await bench.waitFor(id, 'healthy');
    expect(done).toMatchObject({ stage: 'released', error: null, commit_sha: expect.stringMatching(/^[0-9a-f]{40}$/) });
    expect(done.completed_at).toEqual(done.released_at);
    const log = await bench.logOf(id);
    expect(log.slice(-4)).toEqual([
      '==> Packing the result',
      expect.stringMatching(packed),
      '==> Releasing',
      `==> Live at http://${subject.environment.subdomain}.localhost:${bench.front.port}`,
    ]);
    expect(await bench.statuses(subject)).toEqual({ environment: 'healthy', application: 'healthy', live: id });
    const target = { kind: 'static', artifactId: done.artifact_id, deploymentId: id };
    expect(edge.routes.get(subject.environment.id)).toMatchObject({ subdomain: subject.environment.subdomain, target });
  });

  it('is told what the environment and the application say, the environment first, and its variables byte for byte', async () => {
    await using bench = await createDeploymentsBench();
    await using _edge = startStandInEdge(bench.store);
    const subject = await bench.settle();
    const [{ id: environmentId }, { id: applicationId }] = [subject.environment, subject.application];
    const variables = { PRICE: '$5 #1 "x"', LINES: 'a\nb\\n', EMPTY: '' };
    const place = { table: 'environments', column: 'variables', row: environmentId } as const;
    await bench.store.db
      .updateTable('environments')
      .set({
        variables: bench.keyring.seal(JSON.stringify(variables), place),
        build_command: 'make env',
        vcs_branch: 'next',
      })
      .where('id', '=', environmentId)
      .execute();
    await bench.store.db
      .updateTable('applications')
      .set({
        build_command: 'make app',
        output_directory: 'out',
        root_directory: 'web',
        framework: 'astro',
        is_framework_given: true,
      })
      .where('id', '=', applicationId)
      .execute();
    await bench.work();
    await bench.deploy(subject);
    expect(bench.builder.requests).toMatchObject([
      {
        variables,
        source: { kind: 'git', branch: 'next', repository: { url: 'https://example.org/a/repository' } },
        settings: {
          deploymentType: 'static',
          framework: 'astro',
          buildCommand: 'make env',
          outputDirectory: 'out',
          rootDirectory: 'web',
        },
      },
    ]);
    const { framework } = await bench.store.db.selectFrom('applications').select('framework').executeTakeFirstOrThrow();
    expect(framework).toBe('astro');
  });

  it('writes down the framework that was found where none was given', async () => {
    await using bench = await createDeploymentsBench();
    await using _edge = startStandInEdge(bench.store);
    await bench.work();
    await bench.deploy(await bench.settle());
    expect(bench.builder.requests[0]!.settings.framework).toBeNull();
    const { framework } = await bench.store.db.selectFrom('applications').select('framework').executeTakeFirstOrThrow();
    expect(framework).toBe('vite');
  });

  it('of an archive builds the one that is given, and then the last one again', async () => {
    await using bench = await createDeploymentsBench();
    await using _edge = startStandInEdge(bench.store);
    const subject = await bench.settle();
    await bench.store.pool.query(`update applications set source_type = 'upload', vcs_branch = null`);
    await bench.store.pool.query('update environments set vcs_branch = null');
    await expect(bench.start(subject)).rejects.toMatchObject({ code: 'CF001' });
    const { organisation_id: organisationId } = subject.environment;
    const uploads = [
      await createUpload(bench, { organisationId, status: 'consumed' }),
      await createUpload(bench, { organisationId, status: 'consumed' }),
    ];
    await bench.work();
    for (const { id } of uploads) await bench.waitFor((await bench.start(subject, id)).id, 'healthy');
    await bench.deploy(subject);
    const paths = bench.builder.requests.map(({ source }) => source.kind === 'upload' && source.storagePath);
    expect(paths).toEqual([uploads[0], uploads[1], uploads[1]].map((upload) => upload!.storage_path));
  });
});

describe('a project that cannot be built', () => {
  it('fails at its stage, once, with the reason, and what is served stays', async () => {
    await using bench = await createDeploymentsBench();
    await using edge = startStandInEdge(bench.store);
    const subject = await bench.settle();
    await bench.work();
    const good = await bench.deploy(subject);
    bench.builder.next = failing;
    const { id } = await bench.start(subject);
    const failed = await bench.waitFor(id, 'failed');
    expect(failed).toMatchObject({ stage: 'building', error: 'The build command failed with exit code 2.' });
    expect(failed.completed_at).not.toBeNull();
    expect(bench.builder.requests).toHaveLength(2);
    expect(await bench.statuses(subject)).toEqual({ environment: 'degraded', application: 'degraded', live: good.id });
    expect(edge.served(subject.environment.id).every((artifact) => artifact === good.artifact_id)).toBe(true);
    const log = await bench.logOf(id);
    expect(log).toContain('src/app.ts(1,1): error TS1005');
    expect(log.at(-1)).toBe('==> The build command failed with exit code 2.');
  });

  it('and never was live leaves the environment failed, until it can be', async () => {
    await using bench = await createDeploymentsBench();
    await using _edge = startStandInEdge(bench.store);
    const subject = await bench.settle();
    bench.builder.next = failing;
    await bench.work();
    await bench.waitFor((await bench.start(subject)).id, 'failed');
    expect(await bench.statuses(subject)).toEqual({ environment: 'failed', application: 'failed', live: null });
    bench.builder.next = async () => {};
    const { id } = await bench.deploy(subject);
    expect(await bench.statuses(subject)).toEqual({ environment: 'healthy', application: 'healthy', live: id });
  });

  it('is stopped when it takes too long, and is not tried again', async () => {
    await using bench = await createDeploymentsBench();
    bench.deps.config.builds.timeoutMinutes = 0.05 / 60;
    bench.builder.next = endless;
    await bench.work();
    const { id } = await bench.start(await bench.settle());
    const failed = await bench.waitFor(id, 'failed');
    expect(failed).toMatchObject({ stage: 'building', error: expect.stringContaining('took longer than') });
    expect(bench.builder.running()).toBe(0);
    expect(bench.builder.requests).toHaveLength(1);
  });

  it('is told that it is the platform when the fault is ours, after a few attempts', async () => {
    await using bench = await createDeploymentsBench();
    bench.builder.next = async () => {
      throw new Error('ENOSPC at /secret/path');
    };
    await bench.work();
    const subject = await bench.settle();
    const { id } = await bench.start(subject);
    const failed = await bench.waitFor(id, 'failed');
    expect(failed.error).toContain('The platform could not finish this build in 3 attempts');
    expect(failed.error).not.toContain('secret');
    expect(bench.builder.requests).toHaveLength(3);
    expect(await bench.logOf(id)).toContain('==> The build was interrupted. It starts again from the beginning.');
    expect(await bench.statuses(subject)).toMatchObject({ environment: 'failed' });
  });
});

describe('a worker that stops in the middle of a build', () => {
  it('leaves it to the next one, which builds from the start and says so', async () => {
    await using bench = await createDeploymentsBench();
    await using _edge = startStandInEdge(bench.store);
    bench.builder.next = endless;
    const worker = await bench.work();
    const { id } = await bench.start(await bench.settle());
    await isBuilding(bench);
    await worker.stop({ finishMs: 0 });
    expect(bench.builder.running()).toBe(0);
    expect(await bench.read(id)).toMatchObject({ status: 'building' });
    bench.builder.next = async () => {};
    await bench.work();
    await bench.waitFor(id, 'healthy');
    const log = await bench.logOf(id);
    expect(log).toContain('==> The build was interrupted. It starts again from the beginning.');
    expect(log.filter((line) => line === 'vite v7 building')).toHaveLength(2);
  });

  it('cannot write about it any more once another has it', async () => {
    await using bench = await createDeploymentsBench();
    await using _edge = startStandInEdge(bench.store);
    const gate = Promise.withResolvers<void>();
    const ended: string[] = [];
    bench.builder.next = async (_request, hooks) => {
      await gate.promise;
      await hooks.onStage('installing').then(
        () => ended.push('wrote'),
        (error: Error) => ended.push(error.message),
      );
      throw new Error('lost');
    };
    await bench.work({ name: 'frozen', timing: { recoverMs: 600_000, renewMs: 600_000, leaseMs: 600_000 } });
    const { id } = await bench.start(await bench.settle());
    await eventually('it builds', async () => (await bench.read(id)).stage === 'building');
    // As another worker would find it whose predecessor of this name has died.
    await bench.store.pool.query(
      `update jobs set state = 'queued', worker = null, claim = claim + 1, lease_until = null where kind = 'deployments.build'`,
    );
    bench.builder.next = async () => {};
    await bench.work({ name: 'heir' });
    const done = await bench.waitFor(id, 'healthy');
    gate.resolve();
    await eventually('the first attempt is over', () => ended.length === 1);
    expect(ended).toEqual(['The worker lost touch with the store; the job will run again.']);
    expect(await bench.read(id)).toEqual(done);
  });
});
