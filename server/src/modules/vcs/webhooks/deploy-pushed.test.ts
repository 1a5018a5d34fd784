import { expect, it } from 'vitest';
import { deployPushed } from './deploy-pushed.ts';
import { deliveryJob } from './job-kinds.ts';
import { openPushWorld, type PushWorld } from './testing/push-world.ts';
import type { Act } from './webhooks-deps.ts';

/** As if a worker were at the only delivery that waits. */
async function heldJob({ api, deps }: PushWorld): Promise<Act> {
  const { rows } = await api.store.pool.query<{ id: string; claim: string }>(
    `update jobs set state = 'running', claim = claim + 1, worker = 'a test', started_at = now(),
       lease_until = now() + interval '1 hour'
     where kind = $1 and state = 'queued' returning id, claim`,
    [deliveryJob.name],
  );
  const [{ id: jobId, claim }] = rows as [{ id: string; claim: string }];
  return { jobId, claim, signal: new AbortController().signal, log: deps.log };
}

it('is deployed once though two workers have decided on the same push', async () => {
  await using world = await openPushWorld({ isIdle: true });
  await world.linkInstallation('acme');
  await world.addRepository('acme/shop');
  const { id: applicationId } = await world.create('Shop', 'acme/shop');
  await world.finish('healthy');
  const [production] = await world.environmentsOf({ id: applicationId });
  const event = await world.commit('acme/shop', 'main');
  await world.tell([event]);
  const act = await heldJob(world);
  const { branch, sha: head, message } = event;
  const push = { branch, head, message, isDeletion: false, lastSeen: null, receivedAt: new Date() };
  const given = { applicationId, environmentId: production!.id, push };
  await Promise.all([1, 2, 3].map(() => deployPushed(world.deps, given, act)));
  expect((await world.deploymentsOf(production!)).map(({ commit_sha }) => commit_sha).slice(0, -1)).toEqual([head]);
});
