import type { EndpointName } from '@lilac/contract/endpoints';
import { describe, expect, it, vi } from 'vitest';
import type { Handlers } from '../../http/handler.ts';
import { silentLog } from '../../lib/log.ts';
import { createDeployment } from '../../testing/factories.ts';
import { deploymentHandlers } from './handlers.ts';
import { createDeploymentsBench, type DeploymentsBench } from './testing/deployments-bench.ts';
import { startStandInEdge } from './testing/stand-in-edge.ts';

type Name = Extract<EndpointName, `deployments.${string}`>;

/** Calls a handler with what admission would have given it. */
function call<N extends Name>(bench: DeploymentsBench, name: N, context: { resource: object; body?: object }) {
  const body = { limit: 20, offset: 0, ...context.body };
  const handler = deploymentHandlers({ store: bench.store, log: silentLog })[name] as (
    given: unknown,
  ) => ReturnType<Handlers[N]>;
  return handler({ caller: bench.caller, ...context, body });
}

describe('deployments.list', () => {
  it('shows the newest first, what is live, and what can be rolled back to, in two queries', async () => {
    await using bench = await createDeploymentsBench();
    const { environment } = await bench.settle();
    const rows = [];
    for (let n = 0; n < 13; n++) rows.push(await createDeployment(bench, environment, { artifact_id: `art_${n}` }));
    rows.push(await createDeployment(bench, environment, { status: 'failed', stage: 'building' }));
    await bench.store.pool.query('update deployments set released_at = null where status = $1', ['failed']);
    await bench.store.pool.query('update environments set live_deployment_id = $1', [rows[12]!.id]);
    const connections = vi.spyOn(bench.store.pool, 'connect');
    const list = await call(bench, 'deployments.list', { resource: environment });
    expect(connections).toHaveBeenCalledTimes(2);
    expect(list.map(({ id }) => id)).toEqual(rows.map(({ id }) => id).toReversed());
    expect(list.map(({ is_live }) => is_live)).toEqual(list.map((_one, place) => place === 1));
    expect(list.map(({ can_rollback }) => can_rollback)).toEqual(list.map((_one, place) => place >= 1 && place <= 10));
    expect(list[1]).toEqual({
      id: rows[12]!.id,
      environment_id: environment.id,
      status: 'healthy',
      deployment_stage: 'released',
      commit_sha: rows[12]!.commit_sha,
      commit_message: 'A change',
      error: null,
      is_live: true,
      can_rollback: true,
      started_at: rows[12]!.created_at.toISOString(),
      completed_at: rows[12]!.completed_at!.toISOString(),
      stages: [],
      first_run: null,
      upload_name: null,
    });
  });

  it('shows the last twenty, even before the rest is forgotten', async () => {
    await using bench = await createDeploymentsBench();
    const { environment } = await bench.settle();
    const rows = [];
    for (let n = 0; n < 23; n++) rows.push(await createDeployment(bench, environment));
    const list = await call(bench, 'deployments.list', { resource: environment, body: { limit: 100 } });
    expect(list.map(({ id }) => id)).toEqual(
      rows
        .slice(3)
        .map(({ id }) => id)
        .toReversed(),
    );
  });

  it('has what is live in the page that it belongs to, however much is not forgotten yet', async () => {
    await using bench = await createDeploymentsBench();
    const { environment } = await bench.settle();
    const live = await createDeployment(bench, environment, { artifact_id: 'art_1' });
    await bench.store.pool.query('update environments set live_deployment_id = $1', [live.id]);
    for (let n = 0; n < 25; n++) await createDeployment(bench, environment, { status: 'failed', stage: 'building' });
    await bench.store.pool.query('update deployments set released_at = null where status = $1', ['failed']);
    const page = (body: object) => call(bench, 'deployments.list', { resource: environment, body });
    expect(await page({ limit: 20 })).toHaveLength(20);
    expect(await page({ limit: 20, offset: 20 })).toMatchObject([{ id: live.id, is_live: true }]);
  });

  it('clamps what is out of range', async () => {
    await using bench = await createDeploymentsBench();
    const { environment } = await bench.settle();
    for (let n = 0; n < 3; n++) await createDeployment(bench, environment);
    const count = async (body: object) =>
      (await call(bench, 'deployments.list', { resource: environment, body })).length;
    expect(await count({ limit: 0 })).toBe(1);
    expect(await count({ limit: -7.5, offset: -1 })).toBe(1);
    expect(await count({ limit: 1e9 })).toBe(3);
    expect(await count({ limit: 2.9, offset: 1.9 })).toBe(2);
    expect(await count({ offset: 1e300 })).toBe(0);
  });
});

describe('deployments.get, .rollback and .cancel', () => {
  it('show the log, set the earlier one in motion, and stop one that waits', async () => {
    await using bench = await createDeploymentsBench();
    await using _edge = startStandInEdge(bench.store);
    const subject = await bench.settle();
    const worker = await bench.work();
    const [first] = [await bench.deploy(subject), await bench.deploy(subject)];
    await worker.stop();
    const shown = await call(bench, 'deployments.get', { resource: await bench.read(first.id) });
    expect(shown).toMatchObject({ id: first.id, is_live: false, can_rollback: true, deployment_stage: 'released' });
    expect(shown.deployment_logs).toContain('vite v7 building');
    expect(shown.stages.at(-1)).toEqual({ stage: 'released', started_at: expect.stringMatching(/Z$/) as string });
    const body = { deploymentId: first.id };
    const rolledBack = await call(bench, 'deployments.rollback', { resource: subject.environment, body });
    const { environment_id, commit_sha } = first;
    expect(rolledBack).toEqual({ id: first.id, environment_id, commit_sha, status: 'deploying' });
    const waiting = await bench.start(subject);
    const cancelled = await call(bench, 'deployments.cancel', { resource: waiting });
    expect(cancelled).toEqual({ id: waiting.id, environment_id, commit_sha: null, status: 'cancelled' });
  });
});
