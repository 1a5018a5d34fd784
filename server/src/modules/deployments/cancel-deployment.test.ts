import { describe, expect, it } from 'vitest';
import { eventually } from '../../testing/eventually.ts';
import { cancelDeployment } from './cancel-deployment.ts';
import { createDeploymentsBench, type DeploymentsBench } from './testing/deployments-bench.ts';
import { endless } from './testing/stand-in-builder.ts';
import { startStandInEdge } from './testing/stand-in-edge.ts';

const isBuilding = (bench: DeploymentsBench) => eventually('it builds', () => bench.builder.running() > 0);

describe('cancelling', () => {
  it('ends one that waits at once, and it is never built', async () => {
    await using bench = await createDeploymentsBench();
    const subject = await bench.settle();
    const started = await bench.start(subject);
    const answer = await cancelDeployment(bench.store.db, started, bench.caller);
    expect(answer).toMatchObject({ status: 'cancelled', error: 'Cancelled by ada@example.org.' });
    expect(await bench.statuses(subject)).toMatchObject({ environment: 'pending' });
    const { rows } = await bench.store.pool.query(`select state from jobs where kind = 'deployments.build'`);
    expect(rows).toEqual([{ state: 'cancelled' }]);
    const entries = await bench.store.pool.query('select action, actor_email from activity_entries');
    expect(entries.rows).toEqual([{ action: 'deployment_cancelled', actor_email: 'ada@example.org' }]);
  });

  it('stops one that is built, and calls it cancelled when it has stopped', async () => {
    await using bench = await createDeploymentsBench();
    await using _edge = startStandInEdge(bench.store);
    const subject = await bench.settle();
    await bench.work();
    const live = await bench.deploy(subject);
    bench.builder.next = endless;
    const started = await bench.start(subject);
    await isBuilding(bench);
    await cancelDeployment(bench.store.db, started, bench.caller);
    const cancelled = await bench.waitFor(started.id, 'cancelled');
    expect(bench.builder.running()).toBe(0);
    expect(cancelled).toMatchObject({ error: 'Cancelled by ada@example.org.', stage: 'building' });
    expect(await bench.logOf(started.id)).toContain('==> Cancelled by ada@example.org.');
    expect(await bench.statuses(subject)).toEqual({ environment: 'healthy', application: 'healthy', live: live.id });
    expect(bench.builder.requests).toHaveLength(2);
  });

  it('counts also when the build comes to its end at that moment', async () => {
    await using bench = await createDeploymentsBench();
    const subject = await bench.settle();
    const gate = Promise.withResolvers<void>();
    // One that does not notice the signal.
    bench.builder.build = async (_request, hooks) => {
      await hooks.onStage('building');
      await gate.promise;
      return { artifactId: 'art_late', run: null, fileCount: 1, size: 1 };
    };
    await bench.work();
    const started = await bench.start(subject);
    await eventually('it builds', async () => (await bench.read(started.id)).stage === 'building');
    await cancelDeployment(bench.store.db, started, bench.caller);
    gate.resolve();
    const cancelled = await bench.waitFor(started.id, 'cancelled');
    expect(cancelled).toMatchObject({ error: 'Cancelled by ada@example.org.', artifact_id: null });
    expect((await bench.store.pool.query(`select from jobs where kind = 'deployments.release'`)).rowCount).toBe(0);
  });

  it('is refused for what is being released and for what has ended', async () => {
    await using bench = await createDeploymentsBench();
    const subject = await bench.settle();
    const started = await bench.start(subject);
    for (const status of ['deploying', 'healthy', 'failed', 'cancelled']) {
      await bench.store.pool.query('update deployments set status = $1', [status]);
      const refused = cancelDeployment(bench.store.db, started, bench.caller);
      await expect(refused).rejects.toMatchObject({ code: 'CF001' });
    }
  });

  it('works between two attempts too', async () => {
    await using bench = await createDeploymentsBench();
    bench.builder.next = endless;
    const worker = await bench.work();
    const started = await bench.start(await bench.settle());
    await isBuilding(bench);
    await worker.stop({ finishMs: 0 });
    const answer = await cancelDeployment(bench.store.db, started, bench.caller);
    expect(answer.status).toBe('cancelled');
  });
});
