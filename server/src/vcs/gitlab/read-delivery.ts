import { z } from 'zod';
import { isSameText } from '../../lib/same-text.ts';
import { asSent, idFromBody, parseBody } from '../connection/delivery-body.ts';
import { addressedRepository } from '../connection/hook-address.ts';
import { hookSecret } from '../connection/hook-secret.ts';
import { ForgedDelivery, type Delivery, type PushEvent, type WebhookHead, type WebhookRequest } from '../vcs-host.ts';

/** Every event of a project says which one; older ones only within. */
const anyEvent = z.object({ project_id: z.int().optional(), project: z.object({ id: z.int() }).optional() });

const pushed = z.object({
  ref: z.string(),
  after: z.string(),
  user_username: z.string().nullish(),
  project: z.object({ id: z.int(), path_with_namespace: z.string() }),
  commits: z.array(z.object({ id: z.string(), message: z.string() })).default([]),
});

const BRANCH = 'refs/heads/';
const NOTHING = /^0+$/;

/** The token is all that GitLab proves itself by, and needs nothing of the body. */
export function isFromGitlab({ headers, query }: WebhookHead, webhookKey: Buffer): boolean {
  const [token, repositoryId] = [headers['x-gitlab-token'], addressedRepository({ query })];
  if (!token || repositoryId === null) return false;
  return isSameText(token, hookSecret(webhookKey, { provider: 'provider2', repositoryId }));
}

/** The token is that of the project which the hook's address names, and the body may speak of no other. */
export function readGitlabDelivery({ headers, query, body }: WebhookRequest, webhookKey: Buffer): Delivery {
  if (!isFromGitlab({ headers, query }, webhookKey)) {
    throw new ForgedDelivery('The X-Gitlab-Token is not that of the project.');
  }
  const content = parseBody(body);
  const about = asSent(content, anyEvent);
  const repositoryId = String(about.project_id ?? about.project?.id ?? '');
  if (repositoryId !== addressedRepository({ query })) throw new ForgedDelivery('The body is of another project.');
  const event = headers['x-gitlab-event'] ?? '';
  const isPush = event === 'Push Hook';
  return { id: idOf({ headers, body }), event, events: isPush ? toPushes(repositoryId, asSent(content, pushed)) : [] };
}

/**
 * The key is the same when a delivery is tried again. Before there was one (17.4), there was an id which the several
 * branches of one push share: what they say tells them apart.
 */
function idOf({ headers, body }: Pick<WebhookRequest, 'headers' | 'body'>): string {
  return headers['idempotency-key'] || [headers['x-gitlab-event-uuid'], idFromBody(body)].filter(Boolean).join(' ');
}

function toPushes(
  repositoryId: string,
  { ref, after, project, commits, ...push }: z.infer<typeof pushed>,
): PushEvent[] {
  if (String(project.id) !== repositoryId) throw new ForgedDelivery('The body speaks of two projects.');
  if (!ref.startsWith(BRANCH)) return [];
  return [
    {
      kind: 'push',
      repository: { id: repositoryId, fullName: project.path_with_namespace },
      installationId: null,
      branch: ref.slice(BRANCH.length),
      sha: NOTHING.test(after) ? null : after,
      message: commits.find(({ id }) => id === after)?.message ?? null,
      pusher: push.user_username ?? null,
    },
  ];
}
