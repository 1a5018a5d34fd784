import { Fault } from '../../lib/fault.ts';
import { hookAddress, isSameAddress } from '../connection/hook-address.ts';
import { hookSecret } from '../connection/hook-secret.ts';
import { HostRefusal, ifReached } from '../connection/host-refusal.ts';
import type { CallOptions, HostAccess, HostRepository } from '../vcs-host.ts';
import type { AskGitlab, GitlabApi } from './gitlab-api.ts';

const PER_PAGE = 100;

export interface HookRequest {
  repository: HostRepository;
  url: string;
  webhookKey: Buffer;
  options?: CallOptions;
}

export async function ensureProjectHook(
  ask: AskGitlab,
  access: HostAccess,
  { repository: { id }, url: platform, webhookKey, options }: HookRequest,
): Promise<string | null> {
  const url = hookAddress(platform, id);
  const { hooks } = ask(access, options);
  const settings = {
    pushEvents: true,
    enableSslVerification: true,
    token: hookSecret(webhookKey, { provider: 'provider2', repositoryId: id }),
  };
  const found = await ifReached(idsOf(hooks, { id, url }));
  if (!found) return null;
  const [hookId] = found;
  const kept = hookId === undefined ? hooks.add(id, url, settings) : hooks.edit(id, hookId, url, settings);
  if (!(await ifReached(taken(url, kept)))) return null;
  return String(await keepOldest(hooks, { id, url }));
}

export async function removeProjectHook(
  ask: AskGitlab,
  access: HostAccess,
  { repositoryId, hookId, options }: { repositoryId: string; hookId: string; options?: CallOptions },
): Promise<void> {
  await ifReached(ask(access, options).hooks.remove(repositoryId, Number(hookId)));
}

/** Two who asked at the same time have made two: both keep the same one. */
async function keepOldest(hooks: GitlabApi['hooks'], at: { id: string; url: string }): Promise<number> {
  const [oldest, ...rest] = await idsOf(hooks, at);
  if (oldest === undefined) throw new Error(`The hook of project ${at.id} went as soon as it was made.`);
  for (const extra of rest) await ifReached(hooks.remove(at.id, extra));
  return oldest;
}

async function idsOf(hooks: GitlabApi['hooks'], { id, url }: { id: string; url: string }): Promise<number[]> {
  const all = await hooks.all(id, { perPage: PER_PAGE });
  return all
    .filter((hook) => isSameAddress(hook.url, url))
    .map((hook) => hook.id)
    .toSorted((one, other) => one - other);
}

/** Hosts send hooks to public addresses only, unless their operator allows others. */
async function taken<T>(url: string, asking: Promise<T>): Promise<T> {
  try {
    return await asking;
  } catch (error) {
    if (!(error instanceof HostRefusal && (error.status === 400 || error.status === 422))) throw error;
    const message =
      `GitLab does not send webhooks to ${url}, so pushes are not noticed (${error.message}). The platform's public address has to be ` +
      'one that GitLab reaches; where GitLab is your own, its administrators can allow local addresses.';
    throw new Fault('CF001', message, { cause: error });
  }
}
