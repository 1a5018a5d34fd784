import { describe, expect, it } from 'vitest';
import { eventually } from '../../testing/eventually.ts';
import { createDeploymentsBench } from './testing/deployments-bench.ts';
import { startStandInEdge } from './testing/stand-in-edge.ts';

/** Builds that last until they are let go. */
function createGate() {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { next: () => promise, open: () => resolve() };
}

describe('whoever asked last wins', () => {
  it('a rollback stays, though a build that was asked for before it ends after it', async () => {
    await using bench = await createDeploymentsBench();
    await using edge = startStandInEdge(bench.store);
    const subject = await bench.settle();
    await bench.work();
    const first = await bench.deploy(subject);
    await bench.deploy(subject);
    const gate = createGate();
    bench.builder.next = gate.next;
    const { id: slow } = await bench.start(subject);
    await eventually('it builds', async () => (await bench.read(slow)).stage === 'building');
    await bench.rollBack(subject, first.id);
    await bench.waitFor(first.id, 'healthy');
    gate.open();
    expect(await bench.waitFor(slow, 'cancelled')).toMatchObject({ error: 'Superseded by a newer release.' });
    expect(await bench.statuses(subject)).toMatchObject({ environment: 'healthy', live: first.id });
    expect(edge.served(subject.environment.id).at(-1)).toBe(first.artifact_id);
  });

  it('a build that was interrupted keeps its place before one that was asked for later', async () => {
    await using bench = await createDeploymentsBench();
    await using edge = startStandInEdge(bench.store);
    const subject = await bench.settle();
    const gate = createGate();
    bench.builder.next = (_request, { signal }) => {
      const stopped = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
      return Promise.race([gate.next(), stopped]);
    };
    const worker = await bench.work();
    const { id: earlier } = await bench.start(subject);
    await eventually('it builds', async () => (await bench.read(earlier)).stage === 'building');
    const { id: later } = await bench.start(subject);
    await worker.stop();
    gate.open();
    await bench.work();
    await bench.waitFor(later, 'healthy');
    expect(bench.builder.requests.map(({ deploymentId }) => deploymentId)).toEqual([earlier, earlier, later]);
    expect(await bench.statuses(subject)).toMatchObject({ environment: 'healthy', live: later });
    expect(edge.served(subject.environment.id).at(-1)).toBe((await bench.read(later)).artifact_id);
  });

  it('one that comes back after a later one is served is not built at all', async () => {
    await using bench = await createDeploymentsBench();
    await using _edge = startStandInEdge(bench.store);
    const subject = await bench.settle();
    const { id: earlier } = await bench.start(subject);
    await bench.store.pool.query(`update jobs set run_at = now() + interval '1 hour'`);
    await bench.store.pool.query(`update deployments set status = 'building' where id = $1`, [earlier]);
    await bench.work();
    const later = await bench.deploy(subject);
    await bench.store.pool.query(`update jobs set run_at = now() where state = 'queued'`);
    await bench.store.pool.query(`select pg_notify('lilac_jobs', 'deployments.build')`);
    await bench.waitFor(earlier, 'cancelled');
    expect(bench.builder.requests.map(({ deploymentId }) => deploymentId)).toEqual([later.id]);
    expect(await bench.statuses(subject)).toMatchObject({ environment: 'healthy', live: later.id });
  });
});
