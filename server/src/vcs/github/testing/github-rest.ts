import type { GitHost } from '../../../testing/git-host.ts';
import { hasCommit } from '../../testing/rig-commits.ts';
import { roleIn } from '../../testing/rig-people.ts';
import type { AppSettings } from '../../vcs-host.ts';
import type { EmulatedGithub } from './emulated-github.ts';
import type { PayloadRepository } from './github-payloads.ts';
import { badCredentials, found, notByIntegration, notFound, pageOf, type RigAnswer } from './rig-answers.ts';
import { roleAt, type RigInstallation, type RigInstallations, type RigToken } from './rig-installations.ts';

export interface WrittenStatus {
  fullName: string;
  sha: string;
  context: string;
  state: string;
  description: string | null;
  target_url: string | null;
}

/** What the host has. */
export interface GithubWorld {
  url: string;
  git: GitHost;
  github: EmulatedGithub;
  installations: RigInstallations;
  tokens: Map<string, RigToken>;
  repositories: PayloadRepository[];
  /** Newest first. */
  statuses: WrittenStatus[];
  /** The app as it was made of a manifest, by the code that it is told for. */
  conversions: Map<string, AppSettings>;
  /** No list gives more of itself at once, however much is asked for. */
  mostPerPage: number;
  onUninstalled: (installation: RigInstallation) => void;
}

export interface RestCall {
  world: GithubWorld;
  method: string;
  /** Below the API's address. */
  url: URL;
  authorization: string;
  body: Buffer;
}

type Route = [pattern: RegExp, answer: (call: RestCall, match: string[]) => Promise<RigAnswer> | RigAnswer];

/**
 * The emulated host answers what it can. Here is what it lacks: the lists of an installation and of a person,
 * memberships, statuses, installations that come and go, and that nobody learns of what is not theirs.
 */
export async function answerRest(call: RestCall): Promise<RigAnswer> {
  const { method, url, world } = call;
  const perPage = Math.min(Number(url.searchParams.get('per_page') ?? 30), world.mostPerPage);
  if (method === 'GET') url.searchParams.set('per_page', String(perPage));
  const token = tokenOf(call);
  if (token !== null && !isJwt(token) && !world.tokens.has(token)) return badCredentials;
  const asked = `${method} ${url.pathname}`;
  for (const [pattern, answer] of routes) {
    const match = pattern.exec(asked);
    if (match) return answer(call, match.slice(1));
  }
  return askEmulated(call);
}

const routes: Route[] = [
  [/^POST \/app\/installations\/(\d+)\/access_tokens$/, (call, [id]) => makeToken(call, Number(id))],
  [/^GET \/app\/installations$/, listInstallations],
  [/^GET \/app\/installations\/(\d+)$/, (call, [id]) => showInstallation(call, Number(id))],
  [/^DELETE \/app\/installations\/(\d+)$/, (call, [id]) => removeInstallation(call, Number(id))],
  [/^GET \/installation\/repositories$/, listOfInstallation],
  [/^GET \/user\/installations$/, installationsOfPerson],
  [/^GET \/user\/memberships\/orgs\/([\w-]+)$/, (call, [org = '']) => showMembership(call, org)],
  [/^GET \/repos\/([\w-]+\/[\w.-]+)\/commits\/(\w+)\/statuses$/, (call, [name, sha]) => listStatuses(call, name, sha)],
  [/^POST \/repos\/([\w-]+\/[\w.-]+)\/statuses\/(\w+)$/, (call, [name, sha]) => writeStatus(call, name, sha)],
  [/^POST \/app-manifests\/([\w-]+)\/conversions$/, convert],
  [/^GET \/repos\/([\w-]+\/[\w.-]+)(\/.*)?$/, readOfRepository],
];

const isJwt = (token: string) => token.startsWith('eyJ');

function tokenOf({ authorization }: RestCall): string | null {
  return /^(?:bearer|token) (.+)$/i.exec(authorization)?.[1] ?? null;
}

function holderOf(call: RestCall): RigToken | null {
  return call.world.tokens.get(tokenOf(call) ?? '') ?? null;
}

async function askEmulated(call: RestCall, changes: { path?: string; body?: object } = {}): Promise<RigAnswer> {
  const { world, method, url, authorization, body } = call;
  const sent = changes.body ? JSON.stringify(changes.body) : new Uint8Array(body);
  const response = await world.github.request(changes.path ?? url.pathname + url.search, {
    method,
    headers: { 'content-type': 'application/json', ...(authorization && { authorization }) },
    ...(method !== 'GET' && { body: sent }),
  });
  const text = await response.text();
  const headers = Object.fromEntries(
    ['link', 'x-ratelimit-remaining', 'x-ratelimit-reset'].flatMap((name) => {
      const value = response.headers.get(name);
      return value === null ? [] : [[name, value]];
    }),
  );
  return { status: response.status, headers, body: text ? (JSON.parse(text) as unknown) : undefined };
}

/** The emulated host says whether the app's signature is good. */
async function isApp(call: RestCall): Promise<boolean> {
  return (await askEmulated({ ...call, method: 'GET' }, { path: '/app' })).status === 200;
}

interface MadeToken {
  token: string;
  permissions: Record<string, string>;
  repositories?: { full_name: string }[];
}

async function makeToken(call: RestCall, id: number): Promise<RigAnswer> {
  const { installations, tokens, repositories } = call.world;
  if (!(await isApp(call))) return badCredentials;
  const installation = installations.find(id);
  if (!installation) return notFound;
  if (installation.isSuspended) return { status: 403, body: { message: 'This installation has been suspended' } };
  const asked = (call.body.length > 0 ? JSON.parse(call.body.toString()) : {}) as { repositories?: string[] };
  const { account, chosen } = installation;
  const isGiven = (name: string) => chosen === 'all' || chosen.includes(`${account}/${name}`);
  if (asked.repositories && !asked.repositories.every(isGiven)) {
    const message =
      'There is at least one repository that does not exist or is not accessible to the parent installation.';
    return { status: 422, body: { message } };
  }
  const ids = repositories
    .filter(({ fullName }) => chosen !== 'all' && chosen.includes(fullName))
    .map((each) => each.id);
  const narrowed = asked.repositories || chosen === 'all' ? asked : { ...asked, repository_ids: ids };
  const made = await askEmulated(call, { body: narrowed });
  if (made.status === 201) {
    const { token, permissions, repositories: only } = made.body as MadeToken;
    const names = asked.repositories ? (only ?? []).map((each) => each.full_name) : 'all';
    tokens.set(token, { kind: 'installation', installationId: id, permissions, repositories: names });
  }
  return made;
}

/** As the emulated host tells it, with what has become of it since. */
async function asTold(world: GithubWorld, { id, isSuspended, chosen }: RigInstallation, emulated: object[]) {
  const told = emulated.find((each) => (each as { id: number }).id === id);
  return {
    ...told,
    html_url: `${world.url}/settings/installations/${id}`,
    repository_selection: chosen === 'all' ? 'all' : 'selected',
    suspended_at: isSuspended ? new Date().toISOString() : null,
  };
}

async function listInstallations(call: RestCall): Promise<RigAnswer> {
  const all = await askEmulated(call, { path: '/app/installations' });
  if (all.status !== 200) return all;
  const { items, headers } = pageOf(call.world.installations.list(), call.url);
  const told = await Promise.all(items.map((each) => asTold(call.world, each, all.body as object[])));
  return { status: 200, headers, body: told };
}

async function showInstallation(call: RestCall, id: number): Promise<RigAnswer> {
  const one = await askEmulated(call);
  const installation = call.world.installations.find(id);
  if (one.status !== 200) return one;
  return installation ? found(await asTold(call.world, installation, [one.body as object])) : notFound;
}

async function removeInstallation(call: RestCall, id: number): Promise<RigAnswer> {
  const { installations, onUninstalled } = call.world;
  if (!(await isApp(call))) return badCredentials;
  if (!installations.find(id)) return notFound;
  onUninstalled(installations.remove(id));
  return { status: 204 };
}

async function listOfInstallation(call: RestCall): Promise<RigAnswer> {
  const { world, url } = call;
  const holder = holderOf(call);
  if (holder?.kind !== 'installation') return notByIntegration;
  const installation = world.installations.find(holder.installationId);
  if (!installation || installation.isSuspended) return badCredentials;
  const covered = world.repositories.filter(({ fullName }) => world.installations.covers(holder, fullName));
  const { items, headers } = pageOf(covered, url);
  const repositories = await Promise.all(
    items.map(async ({ fullName }) => {
      const { body } = await askEmulated({ ...call, method: 'GET' }, { path: `/repos/${fullName}` });
      return body;
    }),
  );
  return { status: 200, headers, body: { total_count: covered.length, repositories } };
}

async function installationsOfPerson(call: RestCall): Promise<RigAnswer> {
  const { world, url } = call;
  const holder = holderOf(call);
  if (holder?.kind !== 'person') return badCredentials;
  const seen = world.installations.list().filter(({ account }) => roleAt(account, holder.login) !== null);
  const { items, headers } = pageOf(seen, url);
  const installations = await Promise.all(
    items.map(async (each) => {
      const kind = world.installations.find(each.id) ? await accountOf(world, each.account) : null;
      return asTold(world, each, [{ id: each.id, account: kind }]);
    }),
  );
  return { status: 200, headers, body: { total_count: seen.length, installations } };
}

export interface RigAccount {
  id: number;
  login: string;
  type: 'User' | 'Organization';
}

export async function accountOf({ github }: Pick<GithubWorld, 'github'>, login: string): Promise<RigAccount> {
  const user = await github.request(`/users/${login}`);
  const response = user.ok ? user : await github.request(`/orgs/${login}`);
  const { id } = (await response.json()) as { id: number };
  return { id, login, type: user.ok ? 'User' : 'Organization' };
}

async function showMembership(call: RestCall, org: string): Promise<RigAnswer> {
  const holder = holderOf(call);
  if (holder?.kind !== 'person') return notByIntegration;
  // The host lets the app see members only where it is installed.
  if (!call.world.installations.at(org)) return notByIntegration;
  return askEmulated(call, { path: `/orgs/${org}/memberships/${holder.login}` });
}

/** What the holder may do with statuses there; null where the repository is not for them. */
function statusRights(call: RestCall, fullName: string): 'none' | 'all' | null {
  const { repositories, installations } = call.world;
  const holder = holderOf(call);
  const repository = repositories.find((each) => each.fullName === fullName);
  if (!repository) return null;
  if (!holder || !installations.covers(holder, fullName)) return repository.isPrivate ? null : 'none';
  if (holder.kind === 'person') return roleIn(fullName, holder.login) ? 'all' : 'none';
  return holder.permissions['statuses'] === 'write' ? 'all' : 'none';
}

function listStatuses(call: RestCall, fullName = '', sha = ''): RigAnswer {
  const rights = statusRights(call, fullName);
  if (rights !== 'all') return rights === null ? notFound : notByIntegration;
  const all = call.world.statuses.filter((each) => each.fullName === fullName && each.sha === sha);
  const { items, headers } = pageOf(all, call.url);
  return { status: 200, headers, body: items };
}

async function writeStatus(call: RestCall, fullName = '', sha = ''): Promise<RigAnswer> {
  const rights = statusRights(call, fullName);
  if (rights !== 'all') return rights === null ? notFound : notByIntegration;
  if (!(await hasCommit(call.world.git, fullName, sha))) {
    return { status: 422, body: { message: `No commit found for SHA: ${sha}` } };
  }
  const given = JSON.parse(call.body.toString()) as Omit<WrittenStatus, 'fullName' | 'sha'>;
  if (!['pending', 'success', 'failure', 'error'].includes(given.state) || (given.description?.length ?? 0) > 140) {
    return { status: 422, body: { message: 'Validation Failed' } };
  }
  const { context, state, description, target_url } = given;
  const status = { fullName, sha, context, state, description, target_url };
  call.world.statuses.unshift(status);
  return { status: 201, body: status };
}

function convert({ world }: RestCall, [code = '']: string[]): RigAnswer {
  const made = world.conversions.get(code);
  if (!made) return notFound;
  world.conversions.delete(code);
  const { appId, slug, clientId, clientSecret, privateKey, webhookSecret } = made;
  const told = { id: appId, slug, client_id: clientId, client_secret: clientSecret };
  return { status: 201, body: { ...told, pem: privateKey, webhook_secret: webhookSecret } };
}

/** The emulated host refuses what is not theirs; the real one knows nothing of it. */
async function readOfRepository(call: RestCall, [fullName = '']: string[]): Promise<RigAnswer> {
  const { repositories, installations } = call.world;
  const holder = holderOf(call);
  const repository = repositories.find((each) => each.fullName === fullName);
  const isTheirs = holder !== null && installations.covers(holder, fullName);
  if (!repository || (repository.isPrivate && !isTheirs)) return notFound;
  const told = await askEmulated(call);
  return [401, 403].includes(told.status) ? notFound : told;
}
