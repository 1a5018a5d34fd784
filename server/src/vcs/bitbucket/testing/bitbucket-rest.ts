import { randomUUID } from 'node:crypto';
import type { CommitState } from '../../vcs-host.ts';
import {
  noteStatus,
  type ApiAnswer,
  type ApiCall,
  type RigHook,
  type RigRepository,
  type RigWorld,
} from '../../testing/connection-rig.ts';
import { rigTeam, type RigLogin } from '../../testing/host-rig.ts';
import { branchesOf, hasCommit } from '../../testing/rig-commits.ts';
import { rigLogins, roleIn } from '../../testing/rig-people.ts';

const CREATED = '2024-01-01T00:00:00.000000+00:00';
const refusal = (status: number, message: string): ApiAnswer => ({
  status,
  body: { type: 'error', error: { message } },
});
const notFound = refusal(404, 'Resource not found');
const forbidden = refusal(403, 'Your credentials lack one or more required privilege scopes.');
const unauthorized = refusal(401, 'Token is invalid or not supported for this endpoint.');

/** Bitbucket's REST API as far as it is used, over the rig's world. */
export async function answerAsBitbucket(call: ApiCall): Promise<ApiAnswer> {
  const [first, workspace, slug, ...rest] = call.path;
  if (first === 'user') return answerUser(call);
  if (first !== 'repositories' || workspace === undefined)
    return refusal(410, 'CHANGE-2770 - Functionality has been deprecated');
  if (slug === undefined) return listRepositories(call, workspace);
  const repository = visibleRepository(call, { workspace, slug });
  if (!repository) return notFound;
  if (rest.length === 0) return { status: 200, body: await repositoryOf(call.world, repository) };
  if (rest.join('/') === 'refs/branches') return listBranches(call, repository);
  if (rest[0] === 'commit' && rest[1] && rest.slice(2).join('/') === 'statuses/build') {
    return writeStatus(call, repository, rest[1]);
  }
  if (rest[0] === 'hooks') return answerHooks(call, repository, rest[1]);
  return notFound;
}

function answerUser(call: ApiCall): ApiAnswer {
  const { login } = call;
  if (!login) return unauthorized;
  if (call.path.length === 1) return { status: 200, body: personOf(login) };
  const workspaces = [login, rigTeam].filter((account) => roleIn(account, login) !== null);
  const values = workspaces.map((slug) => ({
    type: 'workspace_access',
    administrator: roleIn(slug, login) === 'owner',
    workspace: { type: 'workspace_base', slug, uuid: uuidOf(`workspace ${slug}`) },
  }));
  return { status: 200, body: pageOf(call, values) };
}

/** By its slug, or by its uuid, for which the workspace may be left empty. */
function visibleRepository({ world, login }: ApiCall, { workspace, slug }: { workspace: string; slug: string }) {
  const found = world.repositories.find(({ id, fullName }) =>
    slug.startsWith('{') ? id === slug : fullName === `${workspace}/${slug}`,
  );
  return found && (!found.isPrivate || roleIn(found.fullName, login)) ? found : null;
}

async function listRepositories(call: ApiCall, workspace: string): Promise<ApiAnswer> {
  const { world, login, query } = call;
  const all = world.repositories
    .filter(({ fullName }) => fullName.split('/')[0] === workspace)
    .filter((each) => (query.has('role') ? roleIn(each.fullName, login) : !each.isPrivate));
  return { status: 200, body: pageOf(call, await Promise.all(all.map((each) => repositoryOf(world, each)))) };
}

async function listBranches(call: ApiCall, { fullName }: RigRepository): Promise<ApiAnswer> {
  const branches = await branchesOf(call.world.git, fullName);
  const values = branches.map(({ name, sha }) => ({
    type: 'branch',
    name,
    target: { type: 'commit', hash: sha, date: CREATED, message: '' },
  }));
  return { status: 200, body: pageOf(call, values) };
}

function pageOf({ query, url, world }: ApiCall, all: object[]) {
  const pagelen = Math.min(Number(query.get('pagelen') ?? 10), world.pageSize);
  const page = Number(query.get('page') ?? 1);
  const next = new URL(url.pathname + url.search, world.url);
  next.searchParams.set('page', String(page + 1));
  return {
    pagelen,
    page,
    size: all.length,
    values: all.slice((page - 1) * pagelen, page * pagelen),
    ...(page * pagelen < all.length && { next: next.href }),
  };
}

const toState: Record<string, CommitState> = {
  INPROGRESS: 'pending',
  SUCCESSFUL: 'success',
  FAILED: 'failure',
  STOPPED: 'cancelled',
};

async function writeStatus(
  { world, login, body }: ApiCall,
  { id, fullName }: RigRepository,
  sha: string,
): Promise<ApiAnswer> {
  if (!login) return unauthorized;
  if (!roleIn(fullName, login) || !(await hasCommit(world.git, fullName, sha))) return notFound;
  const given = body as { key: string; state: string; name?: string; description?: string; url: string };
  const state = toState[given.state];
  if (!state || given.key.length > 40) return refusal(400, 'Bad request');
  const written = {
    repositoryId: id,
    sha,
    context: given.name ?? given.key,
    state,
    description: given.description ?? '',
    url: given.url,
  };
  noteStatus(world, written);
  return {
    status: 201,
    body: { type: 'build', ...given, uuid: `{${randomUUID()}}`, created_on: CREATED, updated_on: CREATED },
  };
}

/** For administrators of the repository. */
function answerHooks(call: ApiCall, { id, fullName }: RigRepository, hookId?: string): ApiAnswer {
  const { world, login, method, body } = call;
  if (roleIn(fullName, login) !== 'owner') return forbidden;
  const hooks = world.hooks.get(id) ?? [];
  const given = body as { url: string; secret?: string } | undefined;
  const current = hooks.find((hook) => hook.id === hookId);
  if (hookId !== undefined && !current) return notFound;
  if (method === 'GET') return { status: 200, body: pageOf(call, hooks.map(hookOf)) };
  if (method === 'DELETE') {
    world.hooks.set(
      id,
      hooks.filter((hook) => hook !== current),
    );
    return { status: 204 };
  }
  if (!given) return refusal(400, 'Bad request');
  if (current) {
    Object.assign(current, { url: given.url, secret: given.secret ?? current.secret });
    return { status: 200, body: hookOf(current) };
  }
  const hook = {
    id: `{${randomUUID()}}`,
    url: given.url,
    secret: given.secret ?? '',
    createdAt: new Date().toISOString(),
  };
  world.hooks.set(id, [...hooks, hook]);
  return { status: 201, body: hookOf(hook) };
}

const hookOf = ({ id, url, secret, createdAt }: RigHook) => ({
  type: 'webhook_subscription',
  uuid: id,
  url,
  active: true,
  events: ['repo:push'],
  description: 'Lilac',
  created_at: createdAt,
  subject_type: 'repository',
  secret_set: secret !== '',
});

export function personOf(login: RigLogin) {
  return {
    type: 'user',
    uuid: uuidOf(`user ${login}`),
    username: login,
    nickname: login,
    display_name: login,
    account_id: `557058:${rigLogins.indexOf(login)}`,
    created_on: CREATED,
  };
}

export async function repositoryOf(world: RigWorld, { id, fullName, isPrivate }: RigRepository) {
  const isEmpty = (await branchesOf(world.git, fullName)).length === 0;
  return {
    type: 'repository',
    uuid: id,
    full_name: fullName,
    name: fullName.slice(fullName.lastIndexOf('/') + 1),
    is_private: isPrivate,
    scm: 'git',
    mainbranch: isEmpty ? null : { type: 'branch', name: 'main' },
    created_on: CREATED,
    updated_on: CREATED,
  };
}

/** The same for the same name. */
function uuidOf(name: string): string {
  const hex = Buffer.from(name.padEnd(16, '.')).toString('hex').slice(0, 32);
  return `{${hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')}}`;
}
