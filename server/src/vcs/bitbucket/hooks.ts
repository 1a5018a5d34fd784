import { z } from 'zod';
import { Fault } from '../../lib/fault.ts';
import { hookAddress, isSameAddress } from '../connection/hook-address.ts';
import { hookSecret } from '../connection/hook-secret.ts';
import { HostRefusal, ifReached } from '../connection/host-refusal.ts';
import { inOrderOf } from '../connection/repository-path.ts';
import type { CallOptions, HostAccess, HostRepository } from '../vcs-host.ts';
import type { AskBitbucket, BitbucketApi } from './bitbucket-api.ts';
import { endpointOfId } from './repositories.ts';

const hook = z.object({ uuid: z.string(), url: z.string(), created_at: z.string().optional() });

export interface HookRequest {
  repository: HostRepository;
  url: string;
  webhookKey: Buffer;
  options?: CallOptions;
}

export async function ensureRepositoryHook(
  ask: AskBitbucket,
  access: HostAccess,
  { repository: { id }, url: platform, webhookKey, options }: HookRequest,
): Promise<string | null> {
  const url = hookAddress(platform, id);
  const api = ask(access, options);
  const path = `${endpointOfId(id)}/hooks`;
  const settings = {
    description: 'Lilac',
    url,
    active: true,
    events: ['repo:push'],
    secret: hookSecret(webhookKey, { provider: 'provider3', repositoryId: id }),
  };
  const found = await ifReached(idsOf(api, { path, url }));
  if (!found) return null;
  const [hookId] = found;
  const kept =
    hookId === undefined
      ? api.send('POST', path, settings, hook)
      : api.send('PUT', `${path}/${encodeURIComponent(hookId)}`, settings, hook);
  if (!(await ifReached(taken(url, kept)))) return null;
  return keepOldest(api, { path, url });
}

export async function removeRepositoryHook(
  ask: AskBitbucket,
  access: HostAccess,
  { repositoryId, hookId, options }: { repositoryId: string; hookId: string; options?: CallOptions },
): Promise<void> {
  await ifReached(ask(access, options).remove(`${endpointOfId(repositoryId)}/hooks/${encodeURIComponent(hookId)}`));
}

/** Two who asked at the same time have made two: both keep the same one. */
async function keepOldest(api: BitbucketApi, at: { path: string; url: string }): Promise<string> {
  const [oldest, ...rest] = await idsOf(api, at);
  if (oldest === undefined) throw new Error(`The hook to ${at.url} went as soon as it was made.`);
  for (const extra of rest) await ifReached(api.remove(`${at.path}/${encodeURIComponent(extra)}`));
  return oldest;
}

async function idsOf(api: BitbucketApi, { path, url }: { path: string; url: string }): Promise<string[]> {
  const all = await api.list(path, hook);
  const ours = all.filter((each) => isSameAddress(each.url, url));
  return inOrderOf(ours, (each) => `${each.created_at ?? ''} ${each.uuid}`).map(({ uuid }) => uuid);
}

/** The host sends hooks to public addresses only. */
async function taken<T>(url: string, asking: Promise<T>): Promise<T> {
  try {
    return await asking;
  } catch (error) {
    if (!(error instanceof HostRefusal && error.status === 400)) throw error;
    const message =
      `Bitbucket does not send webhooks to ${url}, so pushes are not noticed (${error.message}). The platform's public address has to ` +
      'be one that Bitbucket reaches.';
    throw new Fault('CF001', message, { cause: error });
  }
}
