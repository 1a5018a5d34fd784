import { describe, expect, it } from 'vitest';
import { findRoute } from '../../routing/route-store.ts';
import { eventually } from '../../testing/eventually.ts';
import { createFleetBench } from '../instances/testing/fleet-bench.ts';
import { missedPush, notePushTrouble } from '../vcs/hooks/push-trouble-store.ts';
import { endStuckDeployments } from './end-stuck-deployments.ts';
import { createDeploymentsBench, type DeploymentsBench, type Subject } from './testing/deployments-bench.ts';
import { startStandInEdge } from './testing/stand-in-edge.ts';

const targetOf = async ({ store }: DeploymentsBench, { environment }: Subject) =>
  (await findRoute(store.db, environment.id))?.target ?? null;

const failJob = ({ store }: DeploymentsBench, id: string) =>
  store.pool.query(
    `update jobs set state = 'failed', finished_at = now() where id = (select job_id from deployments where id = $1)`,
    [id],
  );

/** Files that are live, and others that edges were told of when the worker was killed. */
async function interruptFiles(bench: DeploymentsBench) {
  const edge = startStandInEdge(bench.store);
  const subject = await bench.settle();
  const worker = await bench.work();
  const live = await bench.deploy(subject);
  edge.isLagging = true;
  const { id } = await bench.start(subject);
  await eventually('edges are told', async () => (await targetOf(bench, subject))?.deploymentId === id);
  await worker.stop({ finishMs: 0 });
  edge.isLagging = false;
  return { edge, subject, live, id };
}

/** A server that is live, and another that is being started when the worker is killed; edges know where. */
async function interruptServer() {
  const bench = await createFleetBench({ settings: { LILAC_START_WITHIN: '10m' } });
  const worker = await bench.work();
  const live = await bench.deploy(bench.subject);
  const [old] = await bench.settled(1);
  bench.runtime.behave = () => ({ isDeaf: true });
  const { id } = await bench.start(bench.subject);
  const isProbed = async () => {
    const target = await targetOf(bench, bench.subject);
    return target?.kind === 'instances' && target.probe !== null;
  };
  await eventually('edges know it', isProbed);
  await worker.stop({ finishMs: 0 });
  return { bench, live, old: old!.id, id };
}

describe('a release of files that gives way', () => {
  it('leaves edges at what is live, also when it had told them of itself', async () => {
    await using bench = await createDeploymentsBench();
    const { edge, subject, live, id } = await interruptFiles(bench);
    await using _ = edge;
    await bench.rollBack(subject, live.id);
    const later = `update jobs set run_at = now() + interval '1 hour'
      where id = (select job_id from deployments where id = $1)`;
    await bench.store.pool.query(later, [live.id]);
    await bench.work();
    await bench.waitFor(id, 'cancelled');
    expect(await targetOf(bench, subject)).toMatchObject({ deploymentId: live.id, artifactId: live.artifact_id });
  });
});

it('a release of a branch whose last push was missed makes good for it, and nothing else does', async () => {
  await using bench = await createDeploymentsBench();
  await using _ = startStandInEdge(bench.store);
  const { db } = bench.store;
  const subject = await bench.settle();
  await bench.work();
  const { id } = subject.application;
  const left = async () =>
    (await db.selectFrom('applications').select('push_trouble').where('id', '=', id).executeTakeFirstOrThrow())
      .push_trouble;
  const other = missedPush('main-2', 'Why.');
  await notePushTrouble(db, id, other);
  const first = await bench.deploy(subject);
  expect(await left()).toBe(other);
  const ours = missedPush('main', 'Why.');
  await notePushTrouble(db, id, ours);
  await bench.deploy(subject);
  expect(await left()).toBeNull();
  await notePushTrouble(db, id, ours);
  await bench.rollBack(subject, first.id);
  await bench.waitFor(first.id, 'healthy');
  expect(await left()).toBe(ours);
});

describe('a release whose job is lost', () => {
  it('of files leaves edges at what is live', async () => {
    await using bench = await createDeploymentsBench();
    const { edge, subject, live, id } = await interruptFiles(bench);
    await using _ = edge;
    await failJob(bench, id);
    await endStuckDeployments(bench.deps);
    expect(await bench.read(id)).toMatchObject({ status: 'failed' });
    expect(await targetOf(bench, subject)).toMatchObject({ deploymentId: live.id, artifactId: live.artifact_id });
  });

  it('of a server leaves what is live, nothing that is checked, and nothing that runs', async () => {
    const { bench, live, old, id } = await interruptServer();
    await using _ = bench;
    await failJob(bench, id);
    await endStuckDeployments(bench.deps);
    const target = await targetOf(bench, bench.subject);
    expect(target).toMatchObject({ deploymentId: live.id, probe: null, instances: [{ id: old }] });
    expect((await bench.settled(1))[0]!.id).toBe(old);
    expect(await bench.statuses(bench.subject)).toMatchObject({ environment: 'degraded', live: live.id });
  });

  it('leaves another one alone that is under way', async () => {
    const { bench, live, id } = await interruptServer();
    await using _ = bench;
    await failJob(bench, id);
    await bench.rollBack(bench.subject, live.id);
    const before = await findRoute(bench.store.db, bench.environmentId);
    await endStuckDeployments(bench.deps);
    expect(await bench.read(id)).toMatchObject({ status: 'failed' });
    expect(await findRoute(bench.store.db, bench.environmentId)).toEqual(before);
    await bench.work();
    await bench.waitFor(live.id, 'healthy');
    expect(await targetOf(bench, bench.subject)).toMatchObject({ deploymentId: live.id, probe: null });
    await bench.settled(1);
  });

  it('and whose environment goes is not served again', async () => {
    await using bench = await createDeploymentsBench();
    const { edge, subject, id } = await interruptFiles(bench);
    await using _ = edge;
    await failJob(bench, id);
    await bench.store.pool.query(`update environments set status = 'deleting'`);
    const before = await findRoute(bench.store.db, subject.environment.id);
    await endStuckDeployments(bench.deps);
    expect(await findRoute(bench.store.db, subject.environment.id)).toEqual(before);
  });
});
