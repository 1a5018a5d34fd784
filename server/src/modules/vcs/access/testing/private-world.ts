import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { GitProvider } from '@lilac/contract/states';
import { pathsOf, readConfig } from '../../../../config.ts';
import type { ApplicationRow, DeploymentRow } from '../../../../db/schema.ts';
import { createWorker } from '../../../../jobs/worker.ts';
import { createLog } from '../../../../lib/log.ts';
import { newId } from '../../../../lib/ids.ts';
import { eventually } from '../../../../testing/eventually.ts';
import { createOwner, type TestOwner } from '../../../../testing/factories.ts';
import { createFakeClock } from '../../../../testing/fake-clock.ts';
import { startGitHost, type GitHost } from '../../../../testing/git-host.ts';
import { startApi, type Answer, type TestApi } from '../../../../testing/harness.ts';
import { createGitSources } from '../../../../vcs/git/git-sources.ts';
import { readFolder } from '../../../../vcs/git/testing/git-subject.ts';
import { findDeployment } from '../../../deployments/deployment-store.ts';
import { deploymentJobs } from '../../../deployments/jobs.ts';
import { noInstances } from '../../../deployments/testing/no-instances.ts';
import { createStandInBuilder } from '../../../deployments/testing/stand-in-builder.ts';
import { startStandInEdge } from '../../../deployments/testing/stand-in-edge.ts';
import { linkConnection } from '../../connections/connection-link-store.ts';
import { saveConnection } from '../../connections/connection-store.ts';
import { sealTokens } from '../../connections/seal-tokens.ts';
import { insertLink, saveInstallation } from '../../installations/installation-store.ts';
import { statusJob } from '../../statuses/write-status.ts';
import { createStandInHosts, type StandInHosts } from '../../testing/stand-in-hosts.ts';
import type { VcsDeps } from '../../vcs-deps.ts';
import { openRepositoryOf } from '../application-repository.ts';
import { createRepositoryDoor } from '../repository-door.ts';

/** The API, a worker that fetches what it is to build, stand-in hosts for what hosts tell, and a real git host. */
export interface PrivateWorld extends AsyncDisposable {
  api: TestApi;
  git: GitHost;
  hosts: StandInHosts;
  deps: VcsDeps;
  owner: TestOwner;
  /** Of another organisation, to which nothing is linked. */
  stranger: TestOwner;
  /** Everything that the API and the worker have written to their logs. */
  log: string[];
  /** Files of the builds, one entry for each. */
  built: Record<string, string>[];
  /** What each build waits for once it has its files; what it rejects with is what the build fails of. */
  beforeBuild: ((signal: AbortSignal) => Promise<void>) | null;
  call(path: string, body: object, who?: TestOwner): Promise<Answer>;
  /** On the host and in git, which both want to be convinced. Answers its address. */
  addPrivate(fullName: string, provider?: GitProvider): Promise<string>;
  /** Git takes nothing but what the host gives out now. */
  renewCredential(fullName: string, provider?: GitProvider): void;
  linkInstallation(accountLogin: string, who?: TestOwner, granted?: string[]): Promise<number>;
  /** Somebody who reaches what is named. Answers the id of their connection. */
  linkConnection(provider: 'provider2' | 'provider3', login: string, reaches: string[]): Promise<string>;
  unlink(): Promise<void>;
  /** The newest deployment, once it has ended. */
  ended(applicationId: string): Promise<DeploymentRow>;
  deploy(application: { id: string }, who?: TestOwner): Promise<DeploymentRow>;
  application(id: string): Promise<ApplicationRow>;
  /** Everything that stands in the files of the platform. */
  onDisk(): string;
}

const nothing = async (): Promise<void> => {};
const folders: Record<GitProvider, string> = { provider1: 'one', provider2: 'two', provider3: 'three' };

const nameAt = (provider: GitProvider, fullName: string) => `${folders[provider]}/${fullName}`;

export async function openPrivateWorld(): Promise<PrivateWorld> {
  const git = await startGitHost();
  const { vcsUrls, vcsTrusted } = readConfig({
    LILAC_VCS_URL: `${git.url}/one`,
    LILAC_PROVIDER2_URL: `${git.url}/two`,
    LILAC_PROVIDER3_URL: `${git.url}/three`,
  });
  const clock = createFakeClock();
  const hosts = createStandInHosts(() => clock.now().getTime());
  const lines: string[] = [];
  const log = createLog({ level: 'trace', role: 'test', destination: { write: (line) => void lines.push(line) } });
  const api = await startApi({ config: { vcsUrls, vcsTrusted }, clock, log, vcsHosts: hosts });
  const { store, config, keyring } = api;
  const deps: VcsDeps = { store, config, keyring, clock, log, hosts, stateKey: Buffer.alloc(32) };
  const [owner, stranger] = [await createOwner(api), await createOwner(api)];
  const built: Record<string, string>[] = [];
  const worker = await startWorker({ deps, api, built, isReady: async (signal) => world.beforeBuild?.(signal) });
  const edge = startStandInEdge(store);
  const call: PrivateWorld['call'] = (path, body, who = owner) =>
    api.call(path, { token: who.token, body: { targetOrganisationId: who.organisationId, ...body } });
  const world: PrivateWorld = {
    api,
    git,
    hosts,
    deps,
    owner,
    stranger,
    log: lines,
    built,
    beforeBuild: null,
    call,
    async addPrivate(fullName, provider = 'provider1') {
      await git.createRepository(nameAt(provider, fullName), { 'index.html': `<h1>${fullName}</h1>` });
      hosts[provider].addRepository(fullName);
      world.renewCredential(fullName, provider);
      return `${git.url}/${nameAt(provider, fullName)}`;
    },
    renewCredential(fullName, provider = 'provider1') {
      hosts[provider].changeCredential(fullName);
      git.requireCredential(nameAt(provider, fullName), hosts[provider].credentialOf(fullName));
    },
    async linkInstallation(accountLogin, who = owner, granted) {
      const installation = hosts.provider1.addInstallation(accountLogin, granted && { granted });
      await store.db.transaction().execute(async (tx) => {
        await saveInstallation(tx, installation);
        const link = { organisationId: who.organisationId, installationId: installation.id, userId: who.userId };
        await insertLink(tx, link);
      });
      return installation.id;
    },
    linkConnection(provider, login, reaches) {
      const person = hosts[provider].people.add(login, { reaches });
      const tokens = hosts[provider].people.tokensFor(login);
      const seal = (id: string) => sealTokens(keyring, id, tokens);
      return store.db.transaction().execute(async (tx) => {
        const connection = await saveConnection(tx, { provider, userId: owner.userId, person, seal });
        await linkConnection(tx, { organisationId: owner.organisationId, connection });
        return connection.id;
      });
    },
    async unlink() {
      await store.db.deleteFrom('vcs_installation_links').execute();
      await store.db.deleteFrom('vcs_connection_links').execute();
    },
    async ended(applicationId) {
      const newest = () =>
        store.db
          .selectFrom('deployments')
          .selectAll()
          .where('application_id', '=', applicationId)
          .orderBy('created_at', 'desc')
          .limit(1)
          .executeTakeFirstOrThrow();
      const over = ['healthy', 'failed', 'cancelled'];
      await eventually('the deployment is over', async () => over.includes((await newest()).status));
      return newest();
    },
    async deploy({ id: applicationId }, who = owner) {
      const { body } = await call('/api/applications/deploy', { applicationId }, who);
      await world.ended(applicationId);
      return (await findDeployment(store.db, body.id as string))!;
    },
    application: (id) => store.db.selectFrom('applications').selectAll().where('id', '=', id).executeTakeFirstOrThrow(),
    onDisk: () => contentsOf(config.home),
    async [Symbol.asyncDispose]() {
      await worker[Symbol.asyncDispose]();
      await edge[Symbol.asyncDispose]();
      await api[Symbol.asyncDispose]();
      await git[Symbol.asyncDispose]();
    },
  };
  return world;
}

interface WorkerOptions extends Pick<PrivateWorld, 'deps' | 'api' | 'built'> {
  isReady: (signal: AbortSignal) => Promise<void>;
}

/** As in a process of its own: with a door and git sources of its own, whose mirrors are those of the API. */
async function startWorker({ deps, api, built, isReady }: WorkerOptions) {
  const { store, config, keyring } = api;
  const { log } = deps;
  const folder = mkdtempSync(join(tmpdir(), 'lilac-built-'));
  const gitSources = createGitSources({ config, root: pathsOf(config).repositories, log });
  const builder = createStandInBuilder(store);
  builder.build = async (request, hooks) => {
    if (request.source.kind !== 'git') throw new Error('Repositories only.');
    const target = mkdtempSync(join(folder, 'build-'));
    const { repository, branch } = request.source;
    const { signal } = hooks;
    const onLine = (line: string) => hooks.onLine(line);
    await gitSources.checkOut(repository, {
      branch,
      folder: target,
      signal,
      onLine,
      onCommit: (commit) => hooks.onCommit(commit),
    });
    built.push(readFolder(target));
    await isReady(signal);
    const id = newId('art');
    const { organisationId: organisation_id, environmentId: environment_id } = request;
    const artifact = { id, organisation_id, environment_id, kind: 'static', state: 'whole' } as const;
    await store.db.insertInto('artifacts').values(artifact).execute();
    return { artifactId: id, run: null, fileCount: 1, size: 1 };
  };
  const door = createRepositoryDoor(deps);
  const handlers = [
    ...deploymentJobs({
      store,
      config,
      keyring,
      builder,
      log,
      fleet: noInstances,
      repositoryOf: async (application) => (await openRepositoryOf({ store, config, door }, application))!,
      gitSources,
      objects: { remove: nothing },
      artifacts: { compress: nothing, remove: nothing, sweep: nothing },
    }),
    statusJob({ ...deps, door }),
  ];
  const worker = createWorker({ store, log, name: 'one', handlers });
  await worker.start();
  return {
    async [Symbol.asyncDispose]() {
      await worker.stop({ finishMs: 0 });
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function contentsOf(folder: string): string {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
    .join('\n');
}
