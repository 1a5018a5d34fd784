import { once } from 'node:events';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { start } from '../../lib/exec.ts';
import { eventually } from '../../testing/eventually.ts';
import { createDeploymentsBench, type DeploymentsBench } from './testing/deployments-bench.ts';
import { startStandInEdge } from './testing/stand-in-edge.ts';

/** A worker in a process of its own, under the name that `bench.work()` takes over. */
function startDoomedWorker({ store }: DeploymentsBench, ...options: string[]) {
  const program = join(import.meta.dirname, 'testing', 'worker-program.ts');
  const argv = [process.execPath, program, '--url', store.url, '--name', 'one', ...options] as [string, ...string[]];
  const child = start(argv, { env: {}, stdio: ['ignore', 'ignore', 'inherit'] });
  const exited = once(child, 'exit');
  const kill = async () => {
    child.kill('SIGKILL');
    await exited;
  };
  return { kill, [Symbol.asyncDispose]: kill };
}

describe('a worker that is killed', () => {
  it('in the middle of a build: the next one builds it again, and what is live stays', async () => {
    await using bench = await createDeploymentsBench();
    await using edge = startStandInEdge(bench.store);
    const subject = await bench.settle();
    const first = await bench.work();
    const live = await bench.deploy(subject);
    await first.stop();
    await using doomed = startDoomedWorker(bench, '--endless');
    const { id } = await bench.start(subject);
    await eventually('it builds', async () => (await bench.read(id)).stage === 'building');
    await doomed.kill();
    expect(await bench.statuses(subject)).toMatchObject({ environment: 'deploying', live: live.id });
    expect(new Set(edge.served(subject.environment.id))).toEqual(new Set([live.artifact_id]));
    await bench.work();
    await bench.waitFor(id, 'healthy');
    expect(await bench.statuses(subject)).toEqual({ environment: 'healthy', application: 'healthy', live: id });
    expect(await bench.logOf(id)).toContain('==> The build was interrupted. It starts again from the beginning.');
  });

  it('in the middle of a release: the next one releases the same artifact', async () => {
    await using bench = await createDeploymentsBench();
    await using edge = startStandInEdge(bench.store);
    edge.isLagging = true;
    const subject = await bench.settle();
    await using doomed = startDoomedWorker(bench);
    const { id } = await bench.start(subject);
    await eventually('it waits for the edge', async () => {
      const { rowCount } = await bench.store.pool.query('select from routes where target is not null');
      return rowCount === 1;
    });
    await doomed.kill();
    const { artifact_id } = await bench.read(id);
    await bench.work();
    edge.isLagging = false;
    expect(await bench.waitFor(id, 'healthy')).toMatchObject({ artifact_id });
    expect(bench.builder.requests).toEqual([]);
  });

  it('by every attempt of a build: it fails at last, and blames the platform', async () => {
    await using bench = await createDeploymentsBench();
    const subject = await bench.settle();
    const { id } = await bench.start(subject);
    for (let attempt = 1; attempt <= 3; attempt++) {
      await using doomed = startDoomedWorker(bench, '--endless');
      await eventually('it builds', async () => {
        const { rows } = await bench.store.pool.query(
          `select from jobs where kind = 'deployments.build' and state = 'running' and attempt = $1`,
          [attempt],
        );
        return rows.length === 1;
      });
      await doomed.kill();
    }
    await bench.work();
    const failed = await bench.waitFor(id, 'failed');
    expect(failed.error).toContain("The platform's worker ended 3 times while it built this");
    expect(await bench.statuses(subject)).toMatchObject({ environment: 'failed', application: 'failed' });
    expect(bench.builder.requests).toEqual([]);
  });
});
