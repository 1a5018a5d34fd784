import { z } from 'zod';
import { inOrderOf, pathOf } from '../connection/repository-path.ts';
import type { Branch } from '../git/repository.ts';
import type { CallOptions, GitCredential, HostAccess, HostRepository, RepositoryName } from '../vcs-host.ts';
import { allPages } from './all-pages.ts';
import type { AskGithub } from './github-api.ts';
import type { GithubAccess } from './github-access.ts';

const repositoryShape = z.object({
  id: z.int(),
  name: z.string(),
  full_name: z.string(),
  private: z.boolean(),
  default_branch: z.string().nullish(),
});
const branches = z.array(z.object({ name: z.string(), commit: z.object({ sha: z.string() }) }));

const READ = { metadata: 'read', contents: 'read' } as const;

export async function listRepositories(
  github: GithubAccess,
  access: HostAccess,
  { signal }: CallOptions = {},
): Promise<HostRepository[] | null> {
  if (access.kind === 'public') return [];
  const wish = { repository: null, permissions: { metadata: 'read' }, signal } as const;
  const found = await github.reach(access, wish, (ask) => {
    return access.kind === 'person' ? listOfPerson(ask, signal) : listOfInstallation(ask, signal);
  });
  return found && inOrderOf(found.map(toRepository), ({ fullName }) => fullName);
}

function listOfInstallation(ask: AskGithub, signal: AbortSignal | undefined) {
  const shape = z.object({ repositories: z.array(repositoryShape) });
  return allPages(ask, { route: 'GET /installation/repositories', shape, signal }, (page) => page.repositories);
}

function listOfPerson(ask: AskGithub, signal: AbortSignal | undefined) {
  return allPages(ask, { route: 'GET /user/repos', shape: z.array(repositoryShape), signal }, (page) => page);
}

export interface OfRepository {
  name: RepositoryName;
  options: CallOptions | undefined;
}

export async function findRepository(
  github: GithubAccess,
  access: HostAccess,
  { name, options: { signal } = {} }: OfRepository,
): Promise<HostRepository | null> {
  if (!isPlausible(name)) return null;
  const wish = { repository: name, permissions: READ, signal };
  const found = await github.reach(access, wish, async (ask, { isKept }) => {
    const repository = toRepository(await readRepository(ask, name, signal));
    return { repository, isProven: repository.isPrivate || !isKept };
  });
  if (!found) return null;
  if (found.isProven) return found.repository;
  // Everybody may read a public one, also with a token that was made when the installation still had it.
  return github.reach(access, { ...wish, isFresh: true }, () => Promise.resolve(found.repository));
}

/**
 * A token lets its holder see what everybody sees: whether the installation has it is asked by the name that it has
 * now.
 */
export async function findRepositoryById(
  github: GithubAccess,
  access: HostAccess,
  { id, options = {} }: { id: string; options: CallOptions | undefined },
): Promise<HostRepository | null> {
  if (access.kind === 'public' || !/^\d+$/.test(id)) return null;
  const { signal } = options;
  const wish = { repository: null, permissions: { metadata: 'read' }, signal } as const;
  const question = { route: 'GET /repositories/{id}', parameters: { id }, shape: repositoryShape, signal };
  const seen = await github.reach(access, wish, async (ask) => toRepository((await ask(question)).data));
  const found = seen && (await findRepository(github, access, { name: seen, options }));
  return found?.id === id ? found : null;
}

async function readRepository(ask: AskGithub, { owner, name }: RepositoryName, signal: AbortSignal | undefined) {
  const parameters = { owner, repo: name };
  const { data } = await ask({ route: 'GET /repos/{owner}/{repo}', parameters, shape: repositoryShape, signal });
  return data;
}

export async function listBranches(
  github: GithubAccess,
  access: HostAccess,
  { name, options: { signal } = {} }: OfRepository,
): Promise<Branch[] | null> {
  if (!isPlausible(name)) return null;
  const parameters = { owner: name.owner, repo: name.name };
  const question = { route: 'GET /repos/{owner}/{repo}/branches', parameters, shape: branches, signal };
  const found = await github.reach(access, { repository: name, permissions: READ, signal }, (ask) =>
    allPages(ask, question, (page) => page),
  );
  return (
    found &&
    inOrderOf(
      found.map((branch) => ({ name: branch.name, sha: branch.commit.sha })),
      (each) => each.name,
    )
  );
}

/** Git asks the host itself with it; a token that was made for this repository alone opens no other. */
export async function gitCredential(
  github: GithubAccess,
  access: HostAccess,
  { name, options: { signal } = {} }: OfRepository,
): Promise<GitCredential | null> {
  if (!isPlausible(name) || access.kind === 'public') return null;
  if (access.kind === 'person') {
    const found = await findRepository(github, access, { name, options: { signal } });
    return found && { username: 'x-access-token', password: access.accessToken };
  }
  const { installationId } = access;
  const found = await github.tokens.find({ installationId, repository: name, permissions: READ }, { signal });
  return found && { username: 'x-access-token', password: found.token };
}

/** An account has no groups within. */
function isPlausible(name: RepositoryName): boolean {
  return pathOf(name)?.length === 2;
}

function toRepository({ id, name, full_name, ...found }: z.infer<typeof repositoryShape>): HostRepository {
  return {
    id: String(id),
    owner: full_name.split('/', 1)[0] ?? '',
    name,
    fullName: full_name,
    isPrivate: found.private,
    defaultBranch: found.default_branch ?? null,
  };
}
