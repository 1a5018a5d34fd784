import { describe, expect, it } from 'vitest';
import { findRoute } from '../../routing/route-store.ts';
import { eventually } from '../../testing/eventually.ts';
import { cancelDeployment } from './cancel-deployment.ts';
import { createDeploymentsBench, type DeploymentsBench } from './testing/deployments-bench.ts';
import { builtServer, endless } from './testing/stand-in-builder.ts';
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

  it('stops one whose instances start, which leaves none of them and what was served as it was', async () => {
    await using bench = await createDeploymentsBench();
    await using edge = startStandInEdge(bench.store);
    bench.front.use(edge);
    await bench.keep();
    const subject = await bench.settle();
    await bench.work();
    bench.builder.run = builtServer;
    const live = await bench.deploy(subject);
    bench.runtime.behave = () => ({ isDeaf: true });
    const { id } = await bench.start(subject);
    const of = (deploymentId: string) => bench.runtime.running().filter((each) => each.deploymentId === deploymentId);
    await eventually('its instance starts', () => of(id).length > 0);
    await cancelDeployment(bench.store.db, await bench.read(id), bench.caller);
    const cancelled = await bench.waitFor(id, 'cancelled');
    expect(cancelled).toMatchObject({ error: 'Cancelled by ada@example.org.', released_at: null });
    expect(await bench.logOf(id)).toContain('==> Cancelled by ada@example.org.');
    expect(await bench.statuses(subject)).toEqual({ environment: 'healthy', application: 'healthy', live: live.id });
    await eventually('its instance is gone', () => of(id).length === 0 && of(live.id).length > 0);
    await eventually('nobody is checked', () => {
      const target = edge.routes.get(subject.environment.id)?.target;
      return target?.kind === 'instances' && target.deploymentId === live.id && target.probe === null;
    });
  });

  it('of a rollback that waits leaves both as they were', async () => {
    await using bench = await createDeploymentsBench();
    await using edge = startStandInEdge(bench.store);
    const subject = await bench.settle();
    const worker = await bench.work();
    const [first, second] = [await bench.deploy(subject), await bench.deploy(subject)];
    await worker.stop();
    const asked = await bench.rollBack(subject, first.id);
    const answer = await cancelDeployment(bench.store.db, asked, bench.caller);
    expect(answer).toMatchObject({ status: 'healthy', stage: 'released', error: null });
    await bench.work();
    const third = await bench.deploy(subject);
    const served = edge.served(subject.environment.id);
    expect(served.slice(served.indexOf(second.artifact_id!))).not.toContain(first.artifact_id);
    expect(served.at(-1)).toBe(third.artifact_id);
  });

  it('is refused once visitors are switched to it', async () => {
    await using bench = await createDeploymentsBench();
    await using edge = startStandInEdge(bench.store);
    const subject = await bench.settle();
    await bench.work();
    edge.isLagging = true;
    const started = await bench.start(subject);
    const route = () => findRoute(bench.store.db, subject.environment.id);
    await eventually('edges are told', async () => (await route())?.target?.deploymentId === started.id);
    const refused = cancelDeployment(bench.store.db, started, bench.caller);
    await expect(refused).rejects.toMatchObject({ code: 'CF001', message: expect.stringContaining('being switched') });
    edge.isLagging = false;
    await bench.waitFor(started.id, 'healthy');
  });

  it('is refused for what has ended', async () => {
    await using bench = await createDeploymentsBench();
    const subject = await bench.settle();
    const started = await bench.start(subject);
    for (const status of ['healthy', 'failed', 'cancelled']) {
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
