import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { artifactOf, type Route } from '../../routing/route.ts';
import { findRoute } from '../../routing/route-store.ts';
import { eventually } from '../../testing/eventually.ts';
import { stopDeployments } from './stop-deployments.ts';
import { createDeploymentsBench } from './testing/deployments-bench.ts';
import { endless } from './testing/stand-in-builder.ts';
import { startStandInEdge } from './testing/stand-in-edge.ts';

const revisionOf = ({ target }: Route) => (target?.kind === 'static' ? target.revision : null);

const hasty = { releaseTiming: { followMs: 200, absentMs: 200, returnMs: 200 } };

describe('a release', () => {
  it('is live only when every edge serves it', async () => {
    await using bench = await createDeploymentsBench();
    await using _swift = startStandInEdge(bench.store, 'swift');
    await using slow = startStandInEdge(bench.store, 'slow');
    const subject = await bench.settle();
    await bench.work();
    const old = await bench.deploy(subject);
    slow.isLagging = true;
    const { id } = await bench.start(subject);
    await eventually('it is on its way', async () => (await bench.read(id)).status === 'deploying');
    await delay(100);
    expect(await bench.read(id)).toMatchObject({ status: 'deploying', stage: 'routing', released_at: null });
    expect(await bench.statuses(subject)).toEqual({ environment: 'deploying', application: 'deploying', live: old.id });
    slow.isLagging = false;
    const done = await bench.waitFor(id, 'healthy');
    expect(artifactOf(slow.routes.get(subject.environment.id)!.target)).toBe(done.artifact_id);
  });

  it('is taken back when an edge does not follow, and what was live is served everywhere', async () => {
    await using bench = await createDeploymentsBench(hasty);
    await using swift = startStandInEdge(bench.store, 'swift');
    await using slow = startStandInEdge(bench.store, 'slow');
    const subject = await bench.settle();
    await bench.work();
    const old = await bench.deploy(subject);
    slow.isLagging = true;
    const failed = await bench.waitFor((await bench.start(subject)).id, 'failed');
    expect(failed).toMatchObject({ stage: 'routing', error: expect.stringContaining('slow did not follow') });
    expect(await bench.statuses(subject)).toEqual({ environment: 'degraded', application: 'degraded', live: old.id });
    const serves = () => artifactOf(swift.routes.get(subject.environment.id)!.target);
    await eventually('the old one is served', () => serves() === old.artifact_id);
  });

  it('waits for an edge when there is none, and fails saying so when none comes', async () => {
    await using bench = await createDeploymentsBench(hasty);
    const subject = await bench.settle();
    await bench.work();
    const failed = await bench.waitFor((await bench.start(subject)).id, 'failed');
    expect(failed.error).toContain('no edge is running');
    expect((await findRoute(bench.store.db, subject.environment.id))!.target).toBeNull();
    bench.deps.releaseTiming = undefined;
    const { id } = await bench.start(subject);
    await eventually('it is on its way', async () => (await bench.read(id)).status === 'deploying');
    await using _late = startStandInEdge(bench.store);
    await bench.waitFor(id, 'healthy');
  });

  it('that was interrupted is taken up by the next worker', async () => {
    await using bench = await createDeploymentsBench();
    const subject = await bench.settle();
    const worker = await bench.work();
    const { id } = await bench.start(subject);
    await eventually('it is on its way', async () => (await bench.read(id)).status === 'deploying');
    await worker.stop({ finishMs: 0 });
    await using _edge = startStandInEdge(bench.store);
    await bench.work();
    await bench.waitFor(id, 'healthy');
    expect(bench.builder.requests).toHaveLength(1);
  });

  it('waits for no build', async () => {
    await using bench = await createDeploymentsBench();
    await using _edge = startStandInEdge(bench.store);
    const subject = await bench.settle();
    await bench.work();
    const first = await bench.deploy(subject);
    await bench.deploy(subject);
    bench.builder.next = endless;
    const building = await bench.start(subject);
    await eventually('it builds', () => bench.builder.running() === 1);
    await bench.rollBack(subject, first.id);
    await bench.waitFor(first.id, 'healthy');
    expect(await bench.statuses(subject)).toMatchObject({ live: first.id });
    expect(await bench.read(building.id)).toMatchObject({ status: 'building' });
  });

  it('is compressed afterwards, and edges are told to look again', async () => {
    await using bench = await createDeploymentsBench();
    await using edge = startStandInEdge(bench.store);
    const subject = await bench.settle();
    await bench.work();
    const { artifact_id } = await bench.deploy(subject);
    await eventually('they are told', () => revisionOf(edge.routes.get(subject.environment.id)!) === 1);
    expect(artifactOf(edge.routes.get(subject.environment.id)!.target)).toBe(artifact_id);
  });
});

describe('a rollback', () => {
  it('answers at once, serves the earlier one again, and is written down', async () => {
    await using bench = await createDeploymentsBench();
    await using edge = startStandInEdge(bench.store);
    const subject = await bench.settle();
    const worker = await bench.work();
    const [first, second] = [await bench.deploy(subject), await bench.deploy(subject)];
    await worker.stop();
    expect(await bench.rollBack(subject, first.id)).toMatchObject({
      id: first.id,
      status: 'deploying',
      stage: 'routing',
    });
    expect(await bench.statuses(subject)).toMatchObject({ environment: 'deploying', live: second.id });
    await bench.work();
    const again = await bench.waitFor(first.id, 'healthy');
    expect(again.released_at!.getTime()).toBeGreaterThan(second.released_at!.getTime());
    expect(await bench.statuses(subject)).toEqual({ environment: 'healthy', application: 'healthy', live: first.id });
    expect(artifactOf(edge.routes.get(subject.environment.id)!.target)).toBe(first.artifact_id);
    expect(bench.builder.requests).toHaveLength(2);
    const { rows } = await bench.store.pool.query('select action, actor_email from activity_entries');
    expect(rows).toEqual([{ action: 'deployment_rolled_back', actor_email: 'ada@example.org' }]);
  });

  it('to what is live is harmless', async () => {
    await using bench = await createDeploymentsBench();
    await using _edge = startStandInEdge(bench.store);
    const subject = await bench.settle();
    await bench.work();
    const { id } = await bench.deploy(subject);
    await bench.rollBack(subject, id);
    await bench.waitFor(id, 'healthy');
    expect(await bench.statuses(subject)).toEqual({ environment: 'healthy', application: 'healthy', live: id });
  });

  it('is won by who asks last, however many ask, and the others are as good as before', async () => {
    await using bench = await createDeploymentsBench();
    await using edge = startStandInEdge(bench.store);
    const subject = await bench.settle();
    const worker = await bench.work();
    const all = [await bench.deploy(subject), await bench.deploy(subject), await bench.deploy(subject)];
    await worker.stop();
    for (const place of [0, 1, 0, 2, 1]) await bench.rollBack(subject, all[place]!.id);
    const before = edge.served(subject.environment.id).length;
    await bench.work();
    for (const { id } of all) await bench.waitFor(id, 'healthy');
    expect(await bench.statuses(subject)).toEqual({ environment: 'healthy', application: 'healthy', live: all[1]!.id });
    expect(new Set(edge.served(subject.environment.id).slice(before))).toEqual(new Set([all[1]!.artifact_id]));
  });

  it('while another release runs comes after it', async () => {
    await using bench = await createDeploymentsBench();
    await using edge = startStandInEdge(bench.store);
    const subject = await bench.settle();
    await bench.work();
    const first = await bench.deploy(subject);
    edge.isLagging = true;
    const second = await bench.start(subject);
    await eventually('it is published', async () => {
      const published = `select from routes where target->>'deploymentId' = $1`;
      return (await bench.store.pool.query(published, [second.id])).rows.length === 1;
    });
    await bench.rollBack(subject, first.id);
    edge.isLagging = false;
    await bench.waitFor(second.id, 'healthy');
    await bench.waitFor(first.id, 'healthy');
    expect(await bench.statuses(subject)).toMatchObject({ live: first.id, environment: 'healthy' });
  });

  it('is refused for what was never live, for another environment, and for what is too old', async () => {
    await using bench = await createDeploymentsBench();
    await using _edge = startStandInEdge(bench.store);
    const [subject, other] = [await bench.settle(), await bench.settle()];
    await bench.work();
    const old = await bench.deploy(subject);
    for (let n = 0; n < 10; n++) await bench.deploy(subject);
    await expect(bench.rollBack(subject, old.id)).rejects.toMatchObject({
      code: 'VA001',
      message: expect.stringContaining('can no longer be rolled back to'),
    });
    await expect(bench.rollBack(other, old.id)).rejects.toMatchObject({ code: 'NF001' });
    await expect(bench.rollBack(subject, 'dep_none')).rejects.toMatchObject({ code: 'NF001' });
    bench.builder.next = endless;
    const building = await bench.start(subject);
    await expect(bench.rollBack(subject, building.id)).rejects.toMatchObject({ code: 'VA001' });
    await bench.store.pool.query(`update environments set status = 'deleting'`);
    await expect(bench.rollBack(subject, old.id)).rejects.toMatchObject({ code: 'CF001' });
  }, 60_000);
});

describe('an environment that goes', () => {
  it('takes its deployments with it: what waits never starts, what runs stops, nothing is published any more', async () => {
    await using bench = await createDeploymentsBench();
    await using edge = startStandInEdge(bench.store);
    const subject = await bench.settle();
    await bench.work();
    const live = await bench.deploy(subject);
    edge.isLagging = true;
    await bench.rollBack(subject, live.id);
    bench.builder.next = endless;
    const building = await bench.start(subject);
    await eventually('it builds', () => bench.builder.running() === 1);
    const waiting = await bench.start(subject);
    await bench.store.db.transaction().execute(async (tx) => {
      await stopDeployments(tx, subject.environment.id);
      await tx
        .updateTable('environments')
        .set({ status: 'deleting' })
        .where('id', '=', subject.environment.id)
        .execute();
    });
    for (const { id } of [live, building, waiting]) expect(await bench.read(id)).toMatchObject({ status: 'cancelled' });
    await eventually('the build has stopped', () => bench.builder.running() === 0);
    await eventually('no job is left', async () => {
      const { rowCount } = await bench.store.pool.query(
        `select from jobs where kind in ('deployments.build', 'deployments.release') and state in ('queued', 'running')`,
      );
      return rowCount === 0;
    });
    expect(await bench.statuses(subject)).toMatchObject({ environment: 'deleting' });
  });
});
