import { createRequire } from 'node:module';
import type { GitHost, RefChange } from '../../../testing/git-host.ts';
import { commitsOf } from '../../testing/rig-commits.ts';
import type { RigLogin } from '../../testing/host-rig.ts';

type Json = Record<string, unknown>;

const examples = createRequire(import.meta.url)('@octokit/webhooks-examples') as { name: string; examples: Json[] }[];

/** As the host publishes it, to be told of others. */
function exampleOf(name: string, isMeant: (payload: Json) => boolean): Json {
  const found = examples.find((each) => each.name === name)?.examples;
  const example = found?.find(isMeant);
  if (!example) throw new Error(`There is no such example of ${name}.`);
  return structuredClone(example);
}

export interface PayloadRepository {
  id: number;
  fullName: string;
  isPrivate: boolean;
}

export interface PayloadAccount {
  id: number;
  login: string;
  type: 'User' | 'Organization';
}

export interface PushPayload {
  url: string;
  git: GitHost;
  repository: PayloadRepository;
  change: RefChange;
  pusher: RigLogin;
  installationId: number;
}

const NOTHING = '0'.repeat(40);
const MOST_COMMITS = 2048;

export async function pushPayload(push: PushPayload): Promise<Json> {
  const { git, repository, change, pusher } = push;
  const { ref, before, after } = change;
  const payload = exampleOf(
    'push',
    (each) => each['ref'] === 'refs/heads/master' && each['installation'] !== undefined,
  );
  const page = `${push.url}/${repository.fullName}`;
  const seen = await commitsOf(git, repository.fullName, change);
  const commits = await Promise.all(
    seen.slice(-MOST_COMMITS).map(async ({ sha, message, at, authorName, authorEmail }) => ({
      id: sha,
      tree_id: await git.git(repository.fullName, ['rev-parse', `${sha}^{tree}`]),
      distinct: true,
      message,
      timestamp: at,
      url: `${page}/commit/${sha}`,
      author: { name: authorName, email: authorEmail },
      committer: { name: authorName, email: authorEmail },
      added: await filesOf(git, repository.fullName, sha, 'A'),
      removed: await filesOf(git, repository.fullName, sha, 'D'),
      modified: await filesOf(git, repository.fullName, sha, 'M'),
    })),
  );
  return {
    ...payload,
    ref,
    before: before ?? NOTHING,
    after: after ?? NOTHING,
    created: before === null,
    deleted: after === null,
    forced: false,
    base_ref: null,
    compare: `${page}/compare/${(before ?? NOTHING).slice(0, 12)}...${(after ?? NOTHING).slice(0, 12)}`,
    commits,
    head_commit: commits.at(-1) ?? null,
    pusher: { name: pusher, email: `${pusher}@example.org` },
    sender: { ...(payload['sender'] as Json), login: pusher },
    repository: repositoryOf(payload, push),
    installation: { id: push.installationId, node_id: 'MDIzOkludGVncmF0aW9uSW5zdGFsbGF0aW9u' },
  };
}

async function filesOf(git: GitHost, name: string, sha: string, kind: 'A' | 'D' | 'M'): Promise<string[]> {
  const text = await git.git(name, ['show', '--format=', '--name-only', `--diff-filter=${kind}`, sha]);
  return text.split('\n').filter(Boolean);
}

function repositoryOf(payload: Json, { url, repository }: Pick<PushPayload, 'url' | 'repository'>): Json {
  const example = payload['repository'] as Json;
  const [owner = '', name = ''] = repository.fullName.split('/');
  const page = `${url}/${repository.fullName}`;
  return {
    ...example,
    id: repository.id,
    name,
    full_name: repository.fullName,
    private: repository.isPrivate,
    visibility: repository.isPrivate ? 'private' : 'public',
    default_branch: 'main',
    master_branch: 'main',
    html_url: page,
    clone_url: `${page}.git`,
    owner: { ...(example['owner'] as Json), login: owner, name: owner },
  };
}

/** Sent beside the push that deletes a branch. Its repository is told as a push tells it, which is newer. */
export function deletePayload({ url, repository, change, pusher, installationId }: Omit<PushPayload, 'git'>): Json {
  const payload = exampleOf('delete', (each) => each['installation'] !== undefined);
  const pushed = exampleOf('push', (each) => each['ref'] === 'refs/heads/master');
  const told = repositoryOf(pushed, { url, repository });
  const { stargazers: _stars, master_branch: _branch, ...rest } = told;
  return {
    ...payload,
    ref: change.ref.replace('refs/heads/', ''),
    ref_type: 'branch',
    repository: rest,
    sender: { ...(payload['sender'] as Json), login: pusher },
    installation: { id: installationId, node_id: 'MDIzOkludGVncmF0aW9uSW5zdGFsbGF0aW9u' },
  };
}

export type InstallationAction = 'created' | 'deleted' | 'suspend' | 'unsuspend';

export interface InstallationPayload {
  url: string;
  installationId: number;
  account: PayloadAccount;
  selection: 'all' | 'selected';
  isSuspended: boolean;
  app: { id: number; slug: string };
  permissions: Record<string, string>;
  sender: RigLogin;
}

export function installationPayload(action: InstallationAction, about: InstallationPayload): Json {
  const payload = exampleOf('installation', (each) => each['action'] === action);
  return { ...payload, ...ofInstallation(payload, about), repositories: [] };
}

/** The account has given the app other repositories than before. */
export function selectionPayload(
  about: InstallationPayload,
  { added, removed }: { added: PayloadRepository[]; removed: PayloadRepository[] },
): Json {
  const action = added.length > 0 || removed.length === 0 ? 'added' : 'removed';
  const payload = exampleOf('installation_repositories', (each) => each['action'] === action);
  return {
    ...payload,
    ...ofInstallation(payload, about),
    repository_selection: about.selection,
    repositories_added: added.map(brief),
    repositories_removed: removed.map(brief),
    requester: null,
  };
}

function ofInstallation(payload: Json, about: InstallationPayload): Json {
  const example = payload['installation'] as Json;
  const { account, url, installationId } = about;
  return {
    installation: {
      ...example,
      id: installationId,
      account: { ...(example['account'] as Json), ...account, html_url: `${url}/${account.login}` },
      target_id: account.id,
      target_type: account.type,
      repository_selection: about.selection,
      app_id: about.app.id,
      app_slug: about.app.slug,
      permissions: about.permissions,
      events: ['push'],
      html_url: `${url}/settings/installations/${installationId}`,
      suspended_at: about.isSuspended ? new Date().toISOString() : null,
      suspended_by: about.isSuspended ? payload['sender'] : null,
    },
    sender: { ...(payload['sender'] as Json), login: about.sender },
  };
}

function brief({ id, fullName, isPrivate }: PayloadRepository): Json {
  return { id, node_id: `R_${id}`, name: fullName.split('/')[1], full_name: fullName, private: isPrivate };
}
