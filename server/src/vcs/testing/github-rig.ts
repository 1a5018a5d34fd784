import type { IncomingMessage, ServerResponse } from 'node:http';
import { startGitHost, type GitPush, type GitVisit } from '../../testing/git-host.ts';
import { pushCommit, pushDeletion } from '../../testing/git-push.ts';
import { rigPermissions, startEmulatedGithub } from '../github/testing/emulated-github.ts';
import { githubHeaders } from '../github/testing/github-headers.ts';
import { answerPage, ACCOUNT, LOGIN } from '../github/testing/github-pages.ts';
import {
  deletePayload,
  installationPayload,
  pushPayload,
  selectionPayload,
  type InstallationAction,
  type InstallationPayload,
  type PayloadRepository,
} from '../github/testing/github-payloads.ts';
import { accountOf, answerRest, type GithubWorld } from '../github/testing/github-rest.ts';
import { createMirror } from '../github/testing/mirror-refs.ts';
import { answer, readBody, refuseByRate } from '../github/testing/rig-answers.ts';
import {
  createRigInstallations,
  isBelow,
  type RigInstallation,
  type RigToken,
} from '../github/testing/rig-installations.ts';
import { createRigSignIn } from '../github/testing/rig-people-tokens.ts';
import type { AppSettings, CommitState, HostRepository } from '../vcs-host.ts';
import { rigTeam, type HostRig, type RigLogin } from './host-rig.ts';
import { createDeliveryLog } from './rig-deliveries.ts';
import { ownerOf, rigLogins } from './rig-people.ts';
import { createTrouble } from './rig-trouble.ts';

export interface GithubRig extends Omit<HostRig<AppSettings>, 'signIn'> {
  /** Where the app has its webhooks sent; null: nowhere. */
  hooksTo(url: string | null): void;
  /** Where the app has people sent back to, after they installed it or signed in. */
  sendsBackTo(callbackUrl: string): void;
  /** At the page where the app is installed, the person chooses this account; the team, if they left it out. */
  signIn(url: string, person: { login: RigLogin; account?: string }): Promise<string>;
  /** Without anybody's browser. Answers the installation's id; the app hears of it. */
  install(account: string, options?: { repositories?: string[] }): Promise<number>;
  /** The id of the installation that the account has. */
  installationAt(account: string): number;
  uninstall(installationId: number): Promise<void>;
  suspend(installationId: number): Promise<void>;
  resume(installationId: number): Promise<void>;
  /** The account gives the app these repositories only, or all. */
  choose(installationId: number, repositories: 'all' | string[]): Promise<void>;
}

export interface GithubRigOptions {
  mostPerPage?: number;
}

const API = '/api/v3';

/**
 * GitHub on loopback, as an installation of one's own has it: the API below `/api/v3`. The npm package `emulate` is
 * the host's API, git's own `http-backend` its repositories; what they lack is in `github/testing/`.
 */
export async function startGithubRig({ mostPerPage = 100 }: GithubRigOptions = {}): Promise<GithubRig> {
  const deliveries = createDeliveryLog();
  const trouble = createTrouble(refuseByRate);
  const tokens = new Map<string, RigToken>();
  let hookUrl: string | null = null;
  let callbackUrl: string | null = null;
  let apiCalls = 0;

  const git = await startGitHost({ admit, onPush });
  const github = await startEmulatedGithub();
  const installations = createRigInstallations(github);
  const mirror = createMirror(git, github);
  const signIn = createRigSignIn(github, tokens);
  /** What is on its way, so that the rig does not end before. */
  const underWay = new Set<Promise<void>>();
  const world: GithubWorld = {
    url: git.url,
    git,
    github,
    installations,
    tokens,
    repositories: [],
    statuses: [],
    conversions: new Map(),
    mostPerPage,
    onUninstalled: (installation) => later(tellInstallation('deleted', installation)),
  };
  const find = (fullName: string) => {
    const repository = world.repositories.find((each) => each.fullName === fullName);
    if (!repository) throw new Error(`There is no repository ${fullName}.`);
    return repository;
  };

  function given({ account, chosen }: RigInstallation): PayloadRepository[] {
    return world.repositories.filter(({ fullName }) =>
      chosen === 'all' ? isBelow(fullName, account) : chosen.includes(fullName),
    );
  }

  function later(work: Promise<void>): void {
    underWay.add(work);
    void work.finally(() => underWay.delete(work));
  }

  async function deliver(event: string, payload: object): Promise<void> {
    if (hookUrl === null) return;
    const body = Buffer.from(JSON.stringify(payload));
    const headers = githubHeaders(event, body, github.settings.webhookSecret);
    await deliveries.send({ url: hookUrl, event, headers, body });
  }

  function admit({ name, wants, credential }: GitVisit): boolean {
    const repository = world.repositories.find((each) => each.fullName === name);
    if (!repository) return false;
    if (!credential) return wants === 'read' && !repository.isPrivate;
    const login = rigLogins.find((each) => credential.password === passwordOf(each));
    const holder: RigToken | undefined = login ? { kind: 'person', login } : tokens.get(credential.password);
    if (!holder) return false;
    if (!installations.covers(holder, name)) return wants === 'read' && !repository.isPrivate;
    return holder.kind === 'person' || holder.permissions['contents'] === (wants === 'read' ? 'read' : 'write');
  }

  async function onPush({ name, credential, changes }: GitPush): Promise<void> {
    const pusher = rigLogins.find((each) => credential?.password === passwordOf(each)) ?? ownerOf(name);
    await mirror(name, changes);
    const installation = installations.at(name.split('/')[0] ?? '');
    if (!installation || installation.isSuspended) return;
    if (installation.chosen !== 'all' && !installation.chosen.includes(name)) return;
    for (const change of changes) {
      const told = { url: git.url, git, repository: find(name), change, pusher, installationId: installation.id };
      await deliver('push', await pushPayload(told));
      if (change.after === null) await deliver('delete', deletePayload(told));
    }
  }

  async function about({ id, account, chosen, isSuspended }: RigInstallation): Promise<InstallationPayload> {
    return {
      url: git.url,
      installationId: id,
      account: await accountOf(world, account),
      selection: chosen === 'all' ? 'all' : 'selected',
      isSuspended,
      app: { id: github.settings.appId, slug: github.settings.slug },
      permissions: rigPermissions,
      sender: ownerOf(`${account}/any`),
    };
  }

  async function tellInstallation(action: InstallationAction, installation: RigInstallation): Promise<void> {
    await deliver('installation', installationPayload(action, await about(installation)));
  }

  async function answerWith(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET', headers } = request;
    const url = new URL(request.url ?? '/', git.url);
    const body = await readBody(request);
    if (url.pathname.startsWith(`${API}/`)) {
      url.pathname = url.pathname.slice(API.length);
      const authorization = headers.authorization ?? '';
      return answer(response, await answerRest({ world, method, url, authorization, body }));
    }
    const page = await answerPage({
      world,
      signIn,
      method,
      url,
      body,
      callbackUrl,
      install(account) {
        const installation = installations.add(account, 'all');
        later(tellInstallation('created', installation));
        return installation;
      },
      takeOver(manifest) {
        hookUrl = manifest.hook_attributes.url;
        callbackUrl = manifest.callback_urls[0] ?? null;
      },
    });
    return answer(response, page ?? { status: 404, body: 'Not found' });
  }

  git.intercept((request, response) => {
    const path = request.url ?? '/';
    const isApi = path.startsWith(`${API}/`);
    if (isApi) apiCalls += 1;
    if (trouble.hits(request, response, { isApi })) return true;
    if (GIT.test(path)) return false;
    answerWith(request, response).catch((error: unknown) => {
      console.error(error);
      response.destroy();
    });
    return true;
  });

  async function visit(url: string, { login, account = rigTeam }: { login: RigLogin; account?: string }) {
    const address = new URL(url);
    address.searchParams.set(LOGIN, login);
    address.searchParams.set(ACCOUNT, account);
    const response = await fetch(address, { redirect: 'manual' });
    const location = response.headers.get('location');
    if (!location) throw new Error(`${url} does not lead back: ${response.status} ${await response.text()}`);
    await Promise.all(underWay);
    return location;
  }

  const asOwner = (fullName: string) => {
    const login = ownerOf(fullName);
    return { url: `${git.url}/${fullName}.git`, credential: { username: login, password: passwordOf(login) } };
  };

  return {
    provider: 'provider1',
    url: git.url,
    apiUrl: git.url + API,
    settings: github.settings,
    deliveries: deliveries.list,
    redeliver: (index) => deliveries.redeliver(index),
    hooksTo: (url) => void (hookUrl = url),
    sendsBackTo: (url) => void (callbackUrl = url),
    trouble: (kind) => trouble.set(kind),
    get apiCalls() {
      return apiCalls;
    },
    async createRepository(fullName, { isPrivate = false, files } = {}) {
      const [account = '', name = ''] = fullName.split('/');
      const path = account === rigTeam ? `/orgs/${rigTeam}/repos` : '/user/repos';
      const body = { name, private: isPrivate };
      const { id } = await github.as<{ id: number }>(ownerOf(fullName), path, { method: 'POST', body });
      await git.createRepository(fullName);
      const sha = files && (await git.commit(fullName, { files, message: asCommitted('First commit') }));
      if (sha) await mirror(fullName, [{ ref: 'refs/heads/main', before: null, after: sha }]);
      world.repositories.push({ id, fullName, isPrivate });
      return asSeen(fullName, { id, isPrivate });
    },
    push: (fullName, { message = 'Change', ...commit }) =>
      pushCommit(asOwner(fullName), { ...commit, message: asCommitted(message) }),
    deleteBranch: (fullName, branch) => pushDeletion(asOwner(fullName), branch),
    async statusesOf(fullName, sha) {
      const written = world.statuses.filter((each) => each.fullName === fullName && each.sha === sha);
      return written.toReversed().map(({ context, state, description, target_url }) => ({
        context,
        state: stateOf(state),
        description: description ?? '',
        url: target_url ?? '',
      }));
    },
    signIn: visit,
    tokenOf: (login) => signIn.tokensOf(login),
    async takeBack(login) {
      signIn.takeBack(login);
    },
    async install(account, { repositories } = {}) {
      const installation = installations.add(account, repositories ?? 'all');
      await tellInstallation('created', installation);
      return installation.id;
    },
    installationAt(account) {
      const installation = installations.at(account);
      if (!installation) throw new Error(`The app is not installed at ${account}.`);
      return installation.id;
    },
    uninstall: async (id) => tellInstallation('deleted', installations.remove(id)),
    suspend: async (id) => tellInstallation('suspend', installations.change(id, { isSuspended: true })),
    resume: async (id) => tellInstallation('unsuspend', installations.change(id, { isSuspended: false })),
    async choose(id, repositories) {
      const before = installations.find(id);
      const had = before ? given(before) : [];
      const now = installations.change(id, { chosen: repositories });
      const has = given(now);
      const added = has.filter((each) => !had.includes(each));
      const removed = had.filter((each) => !has.includes(each));
      await deliver('installation_repositories', selectionPayload(await about(now), { added, removed }));
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(underWay);
      await git[Symbol.asyncDispose]();
      await github[Symbol.asyncDispose]();
    },
  };
}

const GIT = /\/(info\/refs|git-upload-pack|git-receive-pack)(\?|$)/;

/** With which people push from their own machines. */
const passwordOf = (login: RigLogin) => `password-of-${login}`;

/** As `git commit` writes messages. The emulated host takes no others for what they are. */
const asCommitted = (message: string) => (message.endsWith('\n') ? message : `${message}\n`);

function stateOf(state: string): CommitState {
  return state === 'error' ? 'cancelled' : (state as CommitState);
}

function asSeen(fullName: string, { id, isPrivate }: { id: number; isPrivate: boolean }): HostRepository {
  const [owner = '', name = ''] = fullName.split('/');
  return { id: String(id), owner, name, fullName, isPrivate, defaultBranch: 'main' };
}
