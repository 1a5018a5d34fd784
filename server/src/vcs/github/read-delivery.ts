import { createHmac } from 'node:crypto';
import { z } from 'zod';
import { isSameText } from '../../lib/same-text.ts';
import { idFromBody, readBody } from '../connection/delivery-body.ts';
import {
  ForgedDelivery,
  type Delivery,
  type HostEvent,
  type InstallationEvent,
  type WebhookHead,
  type WebhookRequest,
} from '../vcs-host.ts';

const pushed = z.object({
  ref: z.string(),
  after: z.string(),
  deleted: z.boolean(),
  head_commit: z.object({ message: z.string() }).nullish(),
  pusher: z.object({ name: z.string() }).nullish(),
  repository: z.object({ id: z.int(), full_name: z.string() }),
  installation: z.object({ id: z.int() }).nullish(),
});
const ofInstallation = z.object({ action: z.string(), installation: z.object({ id: z.int() }) });

const BRANCH = 'refs/heads/';

const SIGNATURE = /^sha256=[\da-f]{64}$/;

export function mayBeFromGithub({ headers }: WebhookHead): boolean {
  return SIGNATURE.test(headers['x-hub-signature-256'] ?? '');
}

/** The signature is of the body as it came, under the secret that only the host and the platform have. */
export function readGithubDelivery(
  { headers, body }: Pick<WebhookRequest, 'headers' | 'body'>,
  webhookSecret: string | null,
): Delivery {
  const signature = headers['x-hub-signature-256'];
  if (!signature) throw new ForgedDelivery('There is no X-Hub-Signature-256.');
  if (!webhookSecret || !isSameText(signature, signatureOf(body, webhookSecret))) {
    throw new ForgedDelivery('The X-Hub-Signature-256 is not that of the host.');
  }
  const event = headers['x-github-event'] ?? '';
  return { id: headers['x-github-delivery'] || idFromBody(body), event, events: eventsOf(event, body) };
}

function signatureOf(body: Buffer, secret: string): string {
  return `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
}

function eventsOf(event: string, body: Buffer): HostEvent[] {
  if (event === 'push') return toPushes(readBody(body, pushed));
  if (!Object.hasOwn(changes, event)) return [];
  const { action, installation } = readBody(body, ofInstallation);
  const change = changes[event]?.[action];
  return change ? [{ kind: 'installation', installationId: installation.id, change }] : [];
}

function toPushes({ ref, after, deleted, repository, ...push }: z.infer<typeof pushed>): HostEvent[] {
  if (!ref.startsWith(BRANCH)) return [];
  return [
    {
      kind: 'push',
      repository: { id: String(repository.id), fullName: repository.full_name },
      installationId: push.installation?.id ?? null,
      branch: ref.slice(BRANCH.length),
      sha: deleted ? null : after,
      message: deleted ? null : (push.head_commit?.message ?? null),
      pusher: push.pusher?.name ?? null,
    },
  ];
}

/** What of an installation is told, by the event and its action. */
const changes: Record<string, Record<string, InstallationEvent['change']>> = {
  installation: {
    created: 'created',
    deleted: 'removed',
    suspend: 'suspended',
    unsuspend: 'resumed',
    new_permissions_accepted: 'changed',
  },
  installation_repositories: { added: 'changed', removed: 'changed' },
  installation_target: { renamed: 'changed' },
};
