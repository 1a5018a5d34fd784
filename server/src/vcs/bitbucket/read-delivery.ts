import { createHmac } from 'node:crypto';
import { z } from 'zod';
import { isSameText } from '../../lib/same-text.ts';
import { asSent, idFromBody, parseBody } from '../connection/delivery-body.ts';
import { addressedRepository } from '../connection/hook-address.ts';
import { hookSecret } from '../connection/hook-secret.ts';
import { ForgedDelivery, type Delivery, type PushEvent, type WebhookHead, type WebhookRequest } from '../vcs-host.ts';

const anyEvent = z.object({ repository: z.object({ uuid: z.string(), full_name: z.string() }) });

const ref = z.object({
  type: z.string(),
  name: z.string(),
  target: z.object({ hash: z.string(), message: z.string().nullish() }).nullish(),
});
const pushed = anyEvent.extend({
  actor: z.object({ nickname: z.string().nullish(), display_name: z.string().nullish() }).nullish(),
  push: z.object({ changes: z.array(z.object({ new: ref.nullish(), old: ref.nullish() })) }),
});

const SIGNATURE = /^sha256=[\da-f]{64}$/;

export function mayBeFromBitbucket({ headers, query }: WebhookHead): boolean {
  return SIGNATURE.test(headers['x-hub-signature'] ?? '') && addressedRepository({ query }) !== null;
}

/** Signed with the secret of the repository which the hook's address names, and the body may speak of no other. */
export function readBitbucketDelivery({ headers, query, body }: WebhookRequest, webhookKey: Buffer): Delivery {
  const [signature, repositoryId] = [headers['x-hub-signature'], addressedRepository({ query })];
  if (!signature || repositoryId === null) throw new ForgedDelivery('There is no X-Hub-Signature, or no repository.');
  const secret = hookSecret(webhookKey, { provider: 'provider3', repositoryId });
  if (!isSameText(signature, `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`)) {
    throw new ForgedDelivery('The X-Hub-Signature is not that of the repository.');
  }
  const content = parseBody(body);
  const { repository } = asSent(content, anyEvent);
  if (repository.uuid !== repositoryId) throw new ForgedDelivery('The body is of another repository.');
  const event = headers['x-event-key'] ?? '';
  return {
    id: headers['x-request-uuid'] || idFromBody(body),
    event,
    events: event === 'repo:push' ? toPushes(asSent(content, pushed)) : [],
  };
}

/** One push may move many refs. Tags are of no concern. */
function toPushes({ repository, actor, push }: z.infer<typeof pushed>): PushEvent[] {
  return push.changes.flatMap((change): PushEvent[] => {
    const now = change.new ?? change.old;
    if (now?.type !== 'branch') return [];
    return [
      {
        kind: 'push',
        repository: { id: repository.uuid, fullName: repository.full_name },
        installationId: null,
        branch: now.name,
        sha: change.new?.target?.hash ?? null,
        message: change.new?.target?.message ?? null,
        pusher: actor?.nickname ?? actor?.display_name ?? null,
      },
    ];
  });
}
