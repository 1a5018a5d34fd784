import { z } from 'zod';
import { ifReached } from '../connection/host-refusal.ts';
import { inOrderOf, pathOf } from '../connection/repository-path.ts';
import type { Branch } from '../git/repository.ts';
import type { CallOptions, HostAccess, HostRepository, RepositoryName } from '../vcs-host.ts';
import type { AskBitbucket } from './bitbucket-api.ts';

const workspaceAccess = z.object({ workspace: z.object({ slug: z.string() }) });
const repository = z.object({
  uuid: z.string(),
  full_name: z.string(),
  is_private: z.boolean(),
  mainbranch: z.object({ name: z.string() }).nullish(),
});
const branch = z.object({ name: z.string(), target: z.object({ hash: z.string() }) });

/** Null for what no repository is called. */
export function endpointOf(name: RepositoryName): string | null {
  const path = pathOf(name);
  return path?.length === 2 ? `/repositories/${path.map(encodeURIComponent).join('/')}` : null;
}

/** By its uuid alone, which stays when it is renamed or moved: the workspace may then be left empty. */
export function endpointOfId(uuid: string): string {
  return `/repositories/${encodeURIComponent('{}')}/${encodeURIComponent(uuid)}`;
}

/**
 * There is no list across workspaces any longer: a person's workspaces are asked one after the other. One of them may
 * shut out whom the others let in; where all do, it is not the case that there is nothing.
 */
export async function listBitbucketRepositories(
  ask: AskBitbucket,
  access: HostAccess,
  options?: CallOptions,
): Promise<HostRepository[] | null> {
  if (access.kind !== 'person') return [];
  const api = ask(access, options);
  const workspaces = await ifReached(api.list('/user/workspaces', workspaceAccess));
  if (!workspaces) return null;
  const found = new Map<string, HostRepository>();
  let isLetIn = workspaces.length === 0;
  for (const { workspace } of workspaces) {
    const path = `/repositories/${encodeURIComponent(workspace.slug)}?role=member`;
    const listed = await ifReached(api.list(path, repository));
    isLetIn ||= listed !== null;
    for (const each of listed ?? []) found.set(each.uuid, toRepository(each));
  }
  if (!isLetIn) return null;
  return inOrderOf([...found.values()], ({ fullName }) => fullName);
}

export async function findBitbucketRepository(
  ask: AskBitbucket,
  access: HostAccess,
  { name, options }: { name: RepositoryName; options?: CallOptions },
): Promise<HostRepository | null> {
  const path = endpointOf(name);
  const found = path && (await ifReached(ask(access, options).get(path, repository)));
  return found ? toRepository(found) : null;
}

/** Whoever has the uuid of a public one may read it: theirs it is where it is private, or in a workspace of theirs. */
export async function findBitbucketRepositoryById(
  ask: AskBitbucket,
  access: HostAccess,
  { id, options }: { id: string; options?: CallOptions },
): Promise<HostRepository | null> {
  if (access.kind !== 'person' || !/^\{[0-9a-f-]+\}$/i.test(id)) return null;
  const api = ask(access, options);
  const told = await ifReached(api.get(endpointOfId(id), repository));
  if (!told) return null;
  const found = toRepository(told);
  if (found.isPrivate) return found;
  const workspaces = (await ifReached(api.list('/user/workspaces', workspaceAccess))) ?? [];
  const isTheirs = workspaces.some(({ workspace }) => workspace.slug.toLowerCase() === found.owner.toLowerCase());
  return isTheirs ? found : null;
}

export async function listBitbucketBranches(
  ask: AskBitbucket,
  access: HostAccess,
  { name, options }: { name: RepositoryName; options?: CallOptions },
): Promise<Branch[] | null> {
  const path = endpointOf(name);
  const found = path && (await ifReached(ask(access, options).list(`${path}/refs/branches`, branch)));
  if (!found) return null;
  const branches = found.map(({ name, target }) => ({ name, sha: target.hash }));
  return inOrderOf(branches, ({ name }) => name);
}

function toRepository({ uuid, full_name: fullName, ...told }: z.infer<typeof repository>): HostRepository {
  const [owner = '', name = ''] = fullName.split('/');
  return {
    id: uuid,
    owner,
    name,
    fullName,
    isPrivate: told.is_private,
    defaultBranch: told.mainbranch?.name ?? null,
  };
}
