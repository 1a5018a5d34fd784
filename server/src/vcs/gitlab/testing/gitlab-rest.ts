import type { CommitState } from '../../vcs-host.ts';
import {
  lastStatus,
  noteStatus,
  type ApiAnswer,
  type ApiCall,
  type RigHook,
  type RigRepository,
} from '../../testing/connection-rig.ts';
import { rigPeople, rigTeam, type RigLogin } from '../../testing/host-rig.ts';
import { branchesOf, hasCommit } from '../../testing/rig-commits.ts';
import { roleIn, rigLogins } from '../../testing/rig-people.ts';

const CREATED = '2024-01-01T00:00:00.000Z';
const notFound = (what: string): ApiAnswer => ({ status: 404, body: { message: `404 ${what} Not Found` } });
const forbidden: ApiAnswer = { status: 403, body: { message: '403 Forbidden' } };
const unauthorized: ApiAnswer = { status: 401, body: { message: '401 Unauthorized' } };
const unacceptable = (message: string): ApiAnswer => ({ status: 400, body: { message } });

/** GitLab's REST API as far as it is used, over the rig's world. */
export async function answerAsGitlab(call: ApiCall): Promise<ApiAnswer> {
  const [first, id, ...rest] = call.path;
  if (call.path.join('/') === 'user')
    return call.login ? { status: 200, body: userOf(call, call.login) } : unauthorized;
  if (first !== 'projects') return notFound('Endpoint');
  if (id === undefined) return listProjects(call);
  const repository = visibleProject(call, id);
  if (!repository) return notFound('Project');
  if (rest.length === 0) return { status: 200, body: await projectOf(call, repository) };
  if (rest.join('/') === 'repository/branches') return listBranches(call, repository);
  if (rest[0] === 'statuses' && rest[1]) return writeStatus(call, repository, rest[1]);
  if (rest[0] === 'hooks') return answerHooks(call, repository, rest[1]);
  return notFound('Endpoint');
}

function visibleProject({ world, login }: ApiCall, idOrPath: string): RigRepository | null {
  const found = world.repositories.find(({ id, fullName }) => id === idOrPath || fullName === idOrPath);
  const isGuest = login !== null && world.guests.includes(login);
  return found && (!found.isPrivate || isGuest || roleIn(found.fullName, login)) ? found : null;
}

async function listProjects(call: ApiCall): Promise<ApiAnswer> {
  const { world, login, query } = call;
  const isMine = ({ fullName }: RigRepository) => roleIn(fullName, login) !== null;
  const after = Number(query.get('id_after') ?? 0);
  const before = Number(query.get('id_before') ?? Infinity);
  const all = world.repositories
    .filter((each) => (query.get('membership') === 'true' ? isMine(each) : !each.isPrivate))
    .filter(({ id }) => Number(id) > after && Number(id) < before)
    .toSorted((one, other) => Number(one.id) - Number(other.id));
  const page = all.slice(0, pageSizeOf(call));
  const last = page.at(-1);
  const headers = last && page.length < all.length ? linkTo(call, { id_after: last.id }) : {};
  return { status: 200, body: await Promise.all(page.map((each) => projectOf(call, each))), headers };
}

async function listBranches(call: ApiCall, { fullName, isPrivate }: RigRepository): Promise<ApiAnswer> {
  if (isPrivate && !roleIn(fullName, call.login)) return forbidden;
  const perPage = pageSizeOf(call);
  const page = Number(call.query.get('page') ?? 1);
  const all = await branchesOf(call.world.git, fullName);
  const shown = all.slice((page - 1) * perPage, page * perPage);
  const headers = page * perPage < all.length ? linkTo(call, { page: String(page + 1) }) : {};
  return { status: 200, body: shown.map((branch) => branchOf(call, fullName, branch)), headers };
}

const pageSizeOf = ({ query, world }: ApiCall) => Math.min(Number(query.get('per_page') ?? 20), world.pageSize);

/** Pages by the address of the next. */
function linkTo({ url, world }: ApiCall, more: Record<string, string>): Record<string, string> {
  const next = new URL(url.pathname + url.search, world.url);
  for (const [key, value] of Object.entries(more)) next.searchParams.set(key, value);
  return { link: `<${next.href}>; rel="next"` };
}

const toState: Record<string, CommitState> = {
  pending: 'pending',
  success: 'success',
  failed: 'failure',
  canceled: 'cancelled',
};

/** As its state machine has it: what is pending becomes pending no more; what has ended begins anew. */
async function writeStatus(call: ApiCall, { id, fullName }: RigRepository, sha: string): Promise<ApiAnswer> {
  const { world, login } = call;
  if (!login) return unauthorized;
  if (!roleIn(fullName, login)) return forbidden;
  if (!(await hasCommit(world.git, fullName, sha))) return notFound('Commit');
  const given = call.body as {
    state: string;
    context?: string;
    name?: string;
    description?: string;
    target_url?: string;
  };
  const state = toState[given.state];
  const context = given.name ?? given.context ?? 'default';
  if (!state) return unacceptable(`state does not have a valid value`);
  const current = lastStatus(world.statuses, { repositoryId: id, sha, context });
  if (current?.state === 'pending' && state === 'pending') {
    return unacceptable(
      'Cannot transition status via :enqueue from :pending (Reason(s): Status cannot transition via "enqueue")',
    );
  }
  const written = {
    repositoryId: id,
    sha,
    context,
    state,
    description: given.description ?? '',
    url: given.target_url ?? '',
  };
  noteStatus(world, written);
  const { created_at: _, ...author } = userOf(call, login);
  const isOver = state !== 'pending';
  return {
    status: 201,
    body: {
      id: world.statuses.length,
      sha,
      ref: 'main',
      status: given.state,
      name: context,
      target_url: given.target_url ?? null,
      description: given.description ?? null,
      created_at: CREATED,
      started_at: null,
      finished_at: isOver ? CREATED : null,
      allow_failure: false,
      author,
    },
  };
}

let lastHookId = 100;

/** For maintainers. */
function answerHooks(
  { world, login, method, body }: ApiCall,
  { id, fullName }: RigRepository,
  hookId?: string,
): ApiAnswer {
  if (!login) return unauthorized;
  if (roleIn(fullName, login) !== 'owner') return forbidden;
  const hooks = world.hooks.get(id) ?? [];
  const given = body as { url: string; token?: string } | undefined;
  const current = hooks.find((hook) => hook.id === hookId);
  if (hookId !== undefined && !current) return notFound('Hook');
  const said = (hook: RigHook) => hookOf(id, hook);
  if (method === 'GET') return { status: 200, body: current ? said(current) : hooks.map(said) };
  if (method === 'DELETE') {
    world.hooks.set(
      id,
      hooks.filter((hook) => hook !== current),
    );
    return { status: 204 };
  }
  if (!given || given.url.startsWith('ftp:')) return { status: 422, body: { error: 'Invalid url given' } };
  if (current) {
    Object.assign(current, { url: given.url, secret: given.token ?? current.secret });
    return { status: 200, body: said(current) };
  }
  lastHookId += 1;
  const hook = {
    id: String(lastHookId),
    url: given.url,
    secret: given.token ?? '',
    createdAt: new Date().toISOString(),
  };
  world.hooks.set(id, [...hooks, hook]);
  return { status: 201, body: said(hook) };
}

const hookOf = (projectId: string, { id, url, createdAt }: RigHook) => ({
  id: Number(id),
  project_id: Number(projectId),
  url,
  created_at: createdAt,
  push_events: true,
  tag_push_events: false,
  enable_ssl_verification: true,
});

export function userOf({ world }: Pick<ApiCall, 'world'>, login: RigLogin) {
  return {
    id: 11 + rigLogins.indexOf(login),
    username: login,
    name: login,
    state: 'active',
    web_url: `${world.url}/${login}`,
    created_at: CREATED,
  };
}

/** Without a token only the simple fields are told. */
async function projectOf(call: ApiCall, { id, fullName, isPrivate }: RigRepository) {
  const { world, login } = call;
  const isEmpty = (await branchesOf(world.git, fullName)).length === 0;
  const path = fullName.slice(fullName.lastIndexOf('/') + 1);
  const namespace = fullName.slice(0, -path.length - 1);
  const simple = {
    id: Number(id),
    description: null,
    name: path,
    name_with_namespace: fullName.replaceAll('/', ' / '),
    path,
    path_with_namespace: fullName,
    created_at: CREATED,
    // What it would be called, where there is nothing yet.
    default_branch: 'main',
    topics: [],
    ssh_url_to_repo: `git@localhost:${fullName}.git`,
    http_url_to_repo: `${world.url}/${fullName}.git`,
    web_url: `${world.url}/${fullName}`,
    forks_count: 0,
    star_count: 0,
    last_activity_at: CREATED,
    namespace: {
      id: 1,
      name: namespace,
      path: namespace,
      kind: namespace.startsWith(rigTeam) ? 'group' : 'user',
      full_path: namespace,
    },
  };
  if (!login) return simple;
  return {
    ...simple,
    visibility: isPrivate ? 'private' : 'public',
    empty_repo: isEmpty,
    archived: false,
    creator_id: userOf(call, rigPeople.owner).id,
    repository_access_level: 'enabled',
    permissions: { project_access: null, group_access: null },
  };
}

function branchOf({ world }: ApiCall, fullName: string, { name, sha }: { name: string; sha: string }) {
  return {
    name,
    merged: false,
    protected: name === 'main',
    default: name === 'main',
    developers_can_push: false,
    developers_can_merge: false,
    can_push: true,
    web_url: `${world.url}/${fullName}/-/tree/${name}`,
    commit: {
      id: sha,
      short_id: sha.slice(0, 8),
      title: '',
      message: '',
      created_at: CREATED,
      author_name: '',
      author_email: '',
      parent_ids: [],
    },
  };
}
