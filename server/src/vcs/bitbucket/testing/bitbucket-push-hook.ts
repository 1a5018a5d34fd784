import { createHmac, randomUUID } from 'node:crypto';
import type { RefChange } from '../../../testing/git-host.ts';
import type { PushAtRig } from '../../testing/connection-rig.ts';
import { commitsOf } from '../../testing/rig-commits.ts';
import type { OutgoingDelivery } from '../../testing/rig-deliveries.ts';
import { personOf, repositoryOf } from './bitbucket-rest.ts';

/** One for all refs of a push. */
export async function bitbucketPushHooks(push: PushAtRig): Promise<OutgoingDelivery[]> {
  const { world, repository } = push;
  const payload = await payloadOf(push);
  world.violate([
    ...world.contract.checkAs('repository', payload.repository),
    ...world.contract.checkAs('user', payload.actor),
    ...payload.push.changes.flatMap((change) =>
      [change.new, change.old].flatMap((each) => (each ? world.contract.checkAs('branch', each) : [])),
    ),
  ]);
  const body = Buffer.from(JSON.stringify(payload));
  return (world.hooks.get(repository.id) ?? []).map((hook) => ({
    url: hook.url,
    event: 'repo:push',
    headers: {
      'content-type': 'application/json',
      'user-agent': 'Bitbucket-Webhooks/2.0',
      'x-event-key': 'repo:push',
      'x-hook-uuid': hook.id.slice(1, -1),
      'x-request-uuid': randomUUID(),
      'x-attempt-number': '1',
      ...(hook.secret && {
        'x-hub-signature': `sha256=${createHmac('sha256', hook.secret).update(body).digest('hex')}`,
      }),
    },
    body,
  }));
}

async function payloadOf({ world, repository, pusher, changes }: PushAtRig) {
  const { fullName } = repository;
  const refOf = async (change: RefChange, sha: string | null) => {
    if (sha === null) return null;
    const [head] = (await commitsOf(world.git, fullName, { ...change, before: null, after: sha })).slice(-1);
    const target = { type: 'commit', hash: sha, message: head?.message ?? '', date: head?.at };
    const [, kind, name] = /^refs\/(heads|tags)\/(.+)$/.exec(change.ref) ?? [];
    return { type: kind === 'tags' ? 'tag' : 'branch', name, target };
  };
  return {
    actor: personOf(pusher),
    repository: await repositoryOf(world, repository),
    push: {
      changes: await Promise.all(
        changes.map(async (change) => ({
          new: await refOf(change, change.after),
          old: await refOf(change, change.before),
          created: change.before === null,
          closed: change.after === null,
          forced: false,
          truncated: false,
        })),
      ),
    },
  };
}
