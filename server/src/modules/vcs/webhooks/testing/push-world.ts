import type { GitProvider } from '@lilac/contract/states';
import { pathsOf, readConfig } from '../../../../config.ts';
import type { ApplicationRow, DeploymentRow, EnvironmentRow } from '../../../../db/schema.ts';
import { createWorker, type Worker } from '../../../../jobs/worker.ts';
import { createLog } from '../../../../lib/log.ts';
import { eventually } from '../../../../testing/eventually.ts';
import { createOwner, type TestOwner } from '../../../../testing/factories.ts';
import { startGitHost, type GitHost } from '../../../../testing/git-host.ts';
import { startApi, type Answer, type TestApi } from '../../../../testing/harness.ts';
import { createGitSources } from '../../../../vcs/git/git-sources.ts';
import type { HostEvent, PushEvent, WebhookRequest } from '../../../../vcs/vcs-host.ts';
import { createRepositoryDoor } from '../../access/repository-door.ts';
import { saveConnection } from '../../connections/connection-store.ts';
import { linkToOrganisation } from '../../connections/link-to-organisation.ts';
import { sealTokens } from '../../connections/seal-tokens.ts';
import { insertLink, saveInstallation } from '../../installations/installation-store.ts';
import { createStandInHosts, type StandInHosts } from '../../testing/stand-in-hosts.ts';
import { vcsJobs, type VcsJobsDeps } from '../jobs.ts';

/**
 * The API, stand-in hosts that tell of pushes, a real git host that has them, and workers that act but build nothing.
 */
export interface PushWorld extends AsyncDisposable {
  api: TestApi;
  git: GitHost;
  hosts: StandInHosts;
  deps: VcsJobsDeps;
  owner: TestOwner;
  /** What the platform has written to its log. */
  log: string[];
  call(path: string, body: object, who?: TestOwner): Promise<Answer>;
  /** A repository with a `main`, on the host and in git. */
  addRepository(fullName: string, provider?: GitProvider): Promise<void>;
  /** By its id, which is made if there is none yet. */
  linkInstallation(accountLogin: string, who?: TestOwner, id?: number): Promise<number>;
  linkConnection(
    provider: 'provider2' | 'provider3',
    login: string,
    reaches: string[],
    who?: TestOwner,
  ): Promise<string>;
  /** Created over the API: deployed on push, with environments for `feature/**` that go with their branches. */
  create(
    name: string,
    fullName: string,
    given?: object & { provider?: GitProvider; who?: TestOwner },
  ): Promise<ApplicationRow>;
  /** Git and the stand-in host agree on it; nobody is told. */
  commit(fullName: string, branch: string, given?: { message?: string; provider?: GitProvider }): Promise<PushEvent>;
  deleteBranch(fullName: string, branch: string, provider?: GitProvider): Promise<PushEvent>;
  /** What the host would tell of a branch as it is now. */
  eventOf(
    fullName: string,
    branch: string,
    given?: { message?: string | null; provider?: GitProvider },
  ): Promise<PushEvent>;
  post(request: WebhookRequest, provider?: GitProvider): Promise<Answer>;
  /** Signed by the host and accepted. */
  tell(events: HostEvent[], given?: { id?: string; provider?: GitProvider }): Promise<void>;
  /** Told, and acted on. */
  push(fullName: string, branch: string, given?: { message?: string; provider?: GitProvider }): Promise<PushEvent>;
  /** Those of the two kinds that wait or run. */
  waiting(): Promise<{ kind: string; state: string; payload: Record<string, unknown> }[]>;
  /** Until everything that is due was done. */
  settled(): Promise<void>;
  /** What waits for a later time has its turn now. */
  hurry(): Promise<void>;
  environmentsOf(application: { id: string }): Promise<EnvironmentRow[]>;
  /** Newest first. */
  deploymentsOf(environment: { id: string }): Promise<DeploymentRow[]>;
  /** As if they were built and released, or had failed. */
  finish(status: 'healthy' | 'failed' | 'building'): Promise<void>;
  /** Who did what, in the activity of the organisation, oldest first; without what the creation has told. */
  activity(who?: TestOwner): Promise<string[]>;
  work(deps?: VcsJobsDeps): Promise<Worker>;
}

const folders: Record<GitProvider, string> = { provider1: 'one', provider2: 'two', provider3: 'three' };
const paths: Record<GitProvider, string> = { provider1: 'vcs-app', provider2: 'provider2', provider3: 'provider3' };

const placeOf = (provider: GitProvider, fullName: string) => `${folders[provider]}/${fullName}`;

export async function openPushWorld({ isIdle = false } = {}): Promise<PushWorld> {
  const git = await startGitHost();
  const { vcsUrls, vcsTrusted } = readConfig({
    LILAC_VCS_URL: `${git.url}/one`,
    LILAC_PROVIDER2_URL: `${git.url}/two`,
    LILAC_PROVIDER3_URL: `${git.url}/three`,
  });
  const hosts = createStandInHosts();
  const lines: string[] = [];
  const log = createLog({ level: 'debug', role: 'test', destination: { write: (line) => void lines.push(line) } });
  const api = await startApi({ config: { vcsUrls, vcsTrusted }, log, vcsHosts: hosts });
  const { store, config, keyring, clock } = api;
  const own = { store, config, keyring, clock, log, hosts, stateKey: Buffer.alloc(32) };
  const gitSources = createGitSources({ config, root: pathsOf(config).repositories, log });
  const deps: VcsJobsDeps = { ...own, gitSources, door: createRepositoryDoor(own) };
  const owner = await createOwner(api);
  const workers: Worker[] = [];
  const world: PushWorld = {
    api,
    git,
    hosts,
    deps,
    owner,
    log: lines,
    call: (path, body, who = owner) =>
      api.call(path, { token: who.token, body: { targetOrganisationId: who.organisationId, ...body } }),
    async addRepository(fullName, provider = 'provider1') {
      await git.createRepository(placeOf(provider, fullName), { 'index.html': fullName });
      hosts[provider].addRepository(fullName, { isPrivate: false });
    },
    async linkInstallation(accountLogin, who = owner, id) {
      const known = id === undefined ? undefined : hosts.provider1.installations.get(id);
      const installation = known ?? hosts.provider1.addInstallation(accountLogin);
      await store.db.transaction().execute(async (tx) => {
        await saveInstallation(tx, installation);
        const { organisationId, userId } = who;
        await insertLink(tx, { organisationId, installationId: installation.id, userId });
      });
      return installation.id;
    },
    linkConnection(provider, login, reaches, who = owner) {
      const person = hosts[provider].people.add(login, { reaches });
      const tokens = hosts[provider].people.tokensFor(login);
      const seal = (id: string) => sealTokens(keyring, id, tokens);
      return store.db.transaction().execute(async (tx) => {
        const connection = await saveConnection(tx, { provider, userId: who.userId, person, seal });
        const caller = { kind: 'session', userId: who.userId } as const;
        await linkToOrganisation(tx, { organisationId: who.organisationId, connection, caller });
        return connection.id;
      });
    },
    async create(name, fullName, { provider = 'provider1', who = owner, ...given } = {}) {
      const { status, body } = await world.call(
        '/api/applications/create',
        {
          name,
          vcsRepoUrl: `${git.url}/${placeOf(provider, fullName)}`,
          autoDeployOnPush: true,
          autoDeployBranches: ['feature/**'],
          autoDeleteStaleEnvs: true,
          ...given,
        },
        who,
      );
      if (status !== 201) throw new Error(`${status} ${JSON.stringify(body)}`);
      const query = store.db.selectFrom('applications').selectAll();
      return query.where('id', '=', body.id as string).executeTakeFirstOrThrow();
    },
    async commit(fullName, branch, { message = 'A change', provider = 'provider1' } = {}) {
      const files = { 'index.html': crypto.randomUUID() };
      await git.commit(placeOf(provider, fullName), { branch, files, message });
      return world.eventOf(fullName, branch, { message, provider });
    },
    async deleteBranch(fullName, branch, provider = 'provider1') {
      await git.deleteBranch(placeOf(provider, fullName), branch);
      return world.eventOf(fullName, branch, { provider });
    },
    async eventOf(fullName, branch, { message = 'A change', provider = 'provider1' } = {}) {
      const sha = await git.git(placeOf(provider, fullName), [
        'for-each-ref',
        '--format=%(objectname)',
        `refs/heads/${branch}`,
      ]);
      const { id, owner: account } = hosts[provider].repositories.get(fullName.toLowerCase())!;
      const installations = [...hosts.provider1.installations.values()];
      const installation = installations.find((each) => each.account.login.toLowerCase() === account.toLowerCase());
      const installationId = provider === 'provider1' ? (installation?.id ?? 1) : null;
      const about = { kind: 'push', repository: { id, fullName }, installationId, branch, pusher: 'somebody' } as const;
      return { ...about, sha: sha || null, message: sha ? message : null };
    },
    post: ({ headers, body }, provider = 'provider1') =>
      injected(api, `/api/${paths[provider]}/webhook`, { headers, body }),
    async tell(events, { id, provider = 'provider1' } = {}) {
      const { status, text } = await world.post(hosts[provider].delivery(events, { id }), provider);
      if (status !== 200) throw new Error(`${status} ${text}`);
    },
    async push(fullName, branch, given = {}) {
      const event = await world.commit(fullName, branch, given);
      await world.tell([event], given);
      await world.settled();
      return event;
    },
    async waiting() {
      const { rows } = await store.pool.query(
        `select kind, state, payload from jobs
         where kind like 'vcs.%' and kind not in ('vcs.purge', 'vcs.watch') and state in ('queued', 'running') order by id`,
      );
      return rows;
    },
    async settled() {
      await eventually('everything that is due was done', async () => {
        const { rows } = await store.pool.query(
          `select from jobs where kind like 'vcs.%' and kind not in ('vcs.purge', 'vcs.watch')
             and (state = 'running' or (state = 'queued' and run_at <= now()))`,
        );
        return rows.length === 0;
      });
    },
    async hurry() {
      await store.pool.query(
        `with due as (update jobs set run_at = now() where kind like 'vcs.%' and kind not in ('vcs.purge', 'vcs.watch') and state = 'queued' returning kind)
         select pg_notify('lilac_jobs', kind) from due`,
      );
      await world.settled();
    },
    environmentsOf: ({ id }) =>
      store.db
        .selectFrom('environments')
        .selectAll()
        .where('application_id', '=', id)
        .where('status', '<>', 'deleting')
        .orderBy('is_production', 'desc')
        .orderBy('created_at')
        .execute(),
    deploymentsOf: ({ id }) =>
      store.db
        .selectFrom('deployments')
        .selectAll()
        .where('environment_id', '=', id)
        .orderBy('created_at', 'desc')
        .execute(),
    async finish(status) {
      const moving = store.db.updateTable('deployments').where('status', 'in', ['pending', 'building']);
      await moving.set({ status }).execute();
    },
    async activity(who = owner) {
      const { body } = await world.call('/api/organisations/activity', { limit: 100 }, who);
      const entries = body as { action: string; subject: string; actor_email: string }[];
      return entries
        .filter(({ actor_email }) => actor_email === 'platform')
        .map(({ action, subject }) => `${action} ${subject}`)
        .toReversed();
    },
    async work(using = deps) {
      const worker = createWorker({ store, log, name: `worker ${workers.length}`, handlers: vcsJobs(using) });
      workers.push(worker);
      await worker.start();
      return worker;
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(workers.map((worker) => worker.stop({ finishMs: 0 })));
      await api[Symbol.asyncDispose]();
      await git[Symbol.asyncDispose]();
    },
  };
  if (!isIdle) await world.work();
  return world;
}

async function injected(
  { app }: TestApi,
  url: string,
  { headers, body }: { headers: WebhookRequest['headers']; body: Buffer },
): Promise<Answer> {
  const sent = Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const answer = await app.inject({ method: 'POST', url, headers: Object.fromEntries(sent), payload: body });
  const isJson = String(answer.headers['content-type']).startsWith('application/json');
  const { statusCode: status, body: text } = answer;
  return { status, headers: answer.headers as Answer['headers'], text, body: isJson ? answer.json() : text };
}
