import type { SimpleProjectSchema } from '@gitbeaker/rest';
import { ifReached } from '../connection/host-refusal.ts';
import { inOrderOf, pathOf } from '../connection/repository-path.ts';
import type { Branch } from '../git/repository.ts';
import type { CallOptions, HostAccess, HostRepository, RepositoryName } from '../vcs-host.ts';
import type { AskGitlab, GitlabApi } from './gitlab-api.ts';

const PER_PAGE = 100;
/** A guest of a project sees its issues, not its files. */
const REPORTER = 20;

export async function listProjects(
  ask: AskGitlab,
  access: HostAccess,
  options?: CallOptions,
): Promise<HostRepository[] | null> {
  if (access.kind !== 'person') return [];
  const projects = await ifReached(
    ask(access, options).projects.all({
      membership: true,
      minAccessLevel: REPORTER,
      // Pages by number end at some thousands.
      pagination: 'keyset',
      orderBy: 'id',
      sort: 'asc',
      perPage: PER_PAGE,
    }),
  );
  return projects && inOrderOf(projects.map(toRepository), ({ fullName }) => fullName);
}

export async function findProject(
  ask: AskGitlab,
  access: HostAccess,
  { name, options }: { name: RepositoryName; options?: CallOptions },
): Promise<HostRepository | null> {
  const path = pathOf(name);
  if (!path) return null;
  const gitlab = ask(access, options);
  const project: ToldProject | null = await ifReached(gitlab.projects.show(path.join('/')));
  return project && (await readsFiles(gitlab, project)) ? toRepository(project) : null;
}

/** Asked as a list: only there GitLab leaves out what everybody may see. */
export async function findProjectById(
  ask: AskGitlab,
  access: HostAccess,
  { id, options }: { id: string; options?: CallOptions },
): Promise<HostRepository | null> {
  if (access.kind !== 'person' || !/^\d{1,15}$/.test(id)) return null;
  const only = { idAfter: Number(id) - 1, idBefore: Number(id) + 1 };
  const mine = { membership: true, minAccessLevel: REPORTER } as const;
  const projects = await ifReached(ask(access, options).projects.all({ ...mine, ...only, perPage: 1, maxPages: 1 }));
  return (projects ?? []).map(toRepository).find((project) => project.id === id) ?? null;
}

/** Guests see the project, and are not told by it what they may do: a custom role or another group may let them. */
async function readsFiles({ branches }: GitlabApi, { id, empty_repo: isEmpty }: ToldProject): Promise<boolean> {
  return isEmpty === true || (await ifReached(branches.all(id, { perPage: 1, maxPages: 1 }))) !== null;
}

export async function listProjectBranches(
  ask: AskGitlab,
  access: HostAccess,
  { name, options }: { name: RepositoryName; options?: CallOptions },
): Promise<Branch[] | null> {
  const path = pathOf(name);
  const branches = path && (await ifReached(ask(access, options).branches.all(path.join('/'), { perPage: PER_PAGE })));
  return branches && inOrderOf(branches.map(toBranch), (branch) => branch.name);
}

/** What is told of a project depends on who asks; without a token its visibility is left out. */
export type ToldProject = Pick<SimpleProjectSchema, 'id' | 'path' | 'path_with_namespace'> & {
  default_branch?: string | null;
  visibility?: string;
  /** That of its files, which may be narrower than the project's. */
  repository_access_level?: string;
  empty_repo?: boolean;
};

function toRepository(project: ToldProject): HostRepository {
  const { id, path, path_with_namespace: fullName, visibility = 'public' } = project;
  return {
    id: String(id),
    owner: fullName.slice(0, -path.length - 1),
    name: path,
    fullName,
    // "Internal" is for everybody who is signed in: git without a credential does not reach it.
    isPrivate: visibility !== 'public' || project.repository_access_level === 'private',
    defaultBranch: project.empty_repo ? null : (project.default_branch ?? null),
  };
}

const toBranch = ({ name, commit }: { name: string; commit: { id: string } }): Branch => ({ name, sha: commit.id });
