import { randomUUID } from 'node:crypto';
import type { RefChange } from '../../../testing/git-host.ts';
import type { PushAtRig } from '../../testing/connection-rig.ts';
import { commitsOf } from '../../testing/rig-commits.ts';
import type { OutgoingDelivery } from '../../testing/rig-deliveries.ts';
import { userOf } from './gitlab-rest.ts';

const NOTHING = '0'.repeat(40);
const MOST_COMMITS = 20;

/** One for each branch of a push, all under one event's id. */
export async function gitlabPushHooks(push: PushAtRig): Promise<OutgoingDelivery[]> {
  const { world, repository, changes } = push;
  const eventId = randomUUID();
  const branches = changes.filter(({ ref }) => ref.startsWith('refs/heads/'));
  const payloads = await Promise.all(branches.map((change) => payloadOf(push, change)));
  for (const payload of payloads) world.violate(world.contract.checkAs('push_event', payload));
  return payloads.flatMap((payload) =>
    (world.hooks.get(repository.id) ?? []).map((hook) => ({
      url: hook.url,
      event: 'Push Hook',
      headers: {
        'content-type': 'application/json',
        'user-agent': 'GitLab/18.0.0',
        'x-gitlab-event': 'Push Hook',
        'x-gitlab-token': hook.secret,
        'x-gitlab-instance': world.url,
        'x-gitlab-webhook-uuid': `hook-${hook.id}`,
        'x-gitlab-event-uuid': eventId,
        'idempotency-key': randomUUID(),
      },
      body: Buffer.from(JSON.stringify(payload)),
    })),
  );
}

async function payloadOf({ world, repository, pusher }: PushAtRig, change: RefChange) {
  const { id, fullName, isPrivate } = repository;
  const commits = await commitsOf(world.git, fullName, change);
  const user = userOf({ world }, pusher);
  const web = `${world.url}/${fullName}`;
  return {
    object_kind: 'push',
    event_name: 'push',
    before: change.before ?? NOTHING,
    after: change.after ?? NOTHING,
    ref: change.ref,
    ref_protected: change.ref === 'refs/heads/main',
    checkout_sha: change.after,
    user_id: user.id,
    user_name: user.name,
    user_username: user.username,
    user_email: null,
    project_id: Number(id),
    project: {
      id: Number(id),
      name: fullName.slice(fullName.lastIndexOf('/') + 1),
      web_url: web,
      git_http_url: `${web}.git`,
      namespace: fullName.slice(0, fullName.lastIndexOf('/')),
      visibility_level: isPrivate ? 0 : 20,
      path_with_namespace: fullName,
      default_branch: 'main',
    },
    commits: commits.slice(-MOST_COMMITS).map(({ sha, message, at, authorName, authorEmail }) => ({
      id: sha,
      message,
      title: message.split('\n')[0] ?? '',
      timestamp: at,
      url: `${web}/-/commit/${sha}`,
      author: { name: authorName, email: authorEmail },
    })),
    total_commits_count: commits.length,
  };
}
