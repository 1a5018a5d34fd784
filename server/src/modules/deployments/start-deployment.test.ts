import { describe, expect, it } from 'vitest';
import { eventually } from '../../testing/eventually.ts';
import { createDeploymentsBench } from './testing/deployments-bench.ts';
import { startStandInEdge } from './testing/stand-in-edge.ts';

describe('starting a deployment', () => {
  it('takes the place of those that wait, and not of the one that is built', async () => {
    await using bench = await createDeploymentsBench();
    await using _edge = startStandInEdge(bench.store);
    const subject = await bench.settle();
    const gate = Promise.withResolvers<void>();
    bench.builder.next = () => gate.promise;
    await bench.work();
    const running = await bench.start(subject);
    await eventually('it builds', () => bench.builder.running() > 0);
    const [waiting, newest] = [await bench.start(subject), await bench.start(subject)];
    expect(await bench.read(waiting.id)).toMatchObject({
      status: 'cancelled',
      error: 'Superseded by a newer deployment.',
    });
    expect((await bench.read(waiting.id)).completed_at).not.toBeNull();
    gate.resolve();
    await bench.waitFor(running.id, 'healthy');
    await bench.waitFor(newest.id, 'healthy');
    expect(await bench.statuses(subject)).toMatchObject({ live: newest.id, environment: 'healthy' });
    expect(bench.builder.requests.map((request) => request.deploymentId)).toEqual([running.id, newest.id]);
  });

  it('ten times at once leaves one that waits', async () => {
    await using bench = await createDeploymentsBench();
    const subject = await bench.settle();
    await Promise.all(Array.from({ length: 10 }, () => bench.start(subject)));
    const { rows } = await bench.store.pool.query(
      'select status, count(*)::int from deployments group by 1 order by 1',
    );
    expect(rows).toEqual([
      { status: 'cancelled', count: 9 },
      { status: 'pending', count: 1 },
    ]);
    const queued = await bench.store.pool.query(
      `select from jobs where kind = 'deployments.build' and state = 'queued'`,
    );
    expect(queued.rowCount).toBe(1);
  });

  it('is refused while the environment is being deleted', async () => {
    await using bench = await createDeploymentsBench();
    const subject = await bench.settle();
    await bench.store.pool.query(`update environments set status = 'deleting'`);
    await expect(bench.start(subject)).rejects.toMatchObject({ code: 'CF001' });
  });

  it('of one organisation a hundred times does not keep another waiting', async () => {
    await using bench = await createDeploymentsBench({ settings: { LILAC_BUILDS: '2' } });
    await using _edge = startStandInEdge(bench.store);
    const gate = Promise.withResolvers<void>();
    bench.builder.next = () => gate.promise;
    const [busy, small] = [await bench.settle(), await bench.settle()];
    await bench.store.pool.query(
      `insert into environments (id, organisation_id, application_id, name, subdomain, vcs_branch)
       select 'env_' || n, $1, $2, 'e' || n, 's' || n, 'main' from generate_series(1, 40) n`,
      [busy.environment.organisation_id, busy.application.id],
    );
    const environments = await bench.store.db
      .selectFrom('environments')
      .selectAll()
      .where('name', 'like', 'e%')
      .execute();
    for (const environment of environments) await bench.start({ ...busy, environment });
    await bench.work();
    await eventually('two build', () => bench.builder.running() === 2);
    const first = await bench.start(small);
    bench.builder.next = async () => {};
    gate.resolve();
    await bench.waitFor(first.id, 'healthy');
    const place = bench.builder.requests.findIndex((request) => request.deploymentId === first.id);
    // Two were building; of the two that came next, whose places were free at once, it is one.
    expect([2, 3]).toContain(place);
  });
});
