import { readConfig } from '../../../config.ts';
import type { ApplicationRow, EnvironmentRow, UploadRow } from '../../../db/schema.ts';
import { createOwner, createUpload, productionOf, type TestOwner } from '../../../testing/factories.ts';
import { startGitHost, type GitHost } from '../../../testing/git-host.ts';
import { startApi, type Answer, type ApiOptions, type TestApi } from '../../../testing/harness.ts';

/** The API beside a real repository host, and somebody who owns an organisation there. */
export interface ProjectWorld extends AsyncDisposable {
  api: TestApi;
  host: GitHost;
  /** A repository with the branches `main` and `next`. */
  repositoryUrl: string;
  owner: TestOwner;
  call(path: string, body?: object, who?: TestOwner): Promise<Answer>;
  /** Created over the API, with what is given; fails when it is refused. */
  create(name: string, settings?: object, who?: TestOwner): Promise<ApplicationRow>;
  productionOf(application: { id: string }): Promise<EnvironmentRow>;
  readyUpload(who?: TestOwner): Promise<UploadRow>;
  /** What the activity of an environment says, oldest first. */
  actionsOf(environmentId: string): Promise<string[]>;
  routeOf(environmentId: string): Promise<{ subdomain: string | null; target: unknown } | undefined>;
}

export async function openProjectWorld({
  engines,
  vcsHosts,
}: Pick<ApiOptions, 'engines' | 'vcsHosts'> = {}): Promise<ProjectWorld> {
  const host = await startGitHost();
  await host.createRepository('acme/shop', { 'index.html': '<h1>Shop</h1>' });
  await host.commit('acme/shop', { branch: 'next', files: { 'index.html': '<h1>Next</h1>' }, message: 'Next' });
  const { vcsUrls } = readConfig({ LILAC_VCS_URL: host.url });
  const api = await startApi({ config: { vcsUrls }, engines, vcsHosts });
  const owner = await createOwner(api);
  const repositoryUrl = `${host.url}/acme/shop`;
  const { db } = api.store;
  const call = (path: string, body: object = {}, who = owner) =>
    api.call(path, { token: who.token, body: { targetOrganisationId: who.organisationId, ...body } });
  return {
    api,
    host,
    repositoryUrl,
    owner,
    call,
    async create(name, settings = {}, who = owner) {
      const { status, body } = await call(
        '/api/applications/create',
        { name, vcsRepoUrl: repositoryUrl, ...settings },
        who,
      );
      if (status !== 201) throw new Error(`${status} ${JSON.stringify(body)}`);
      return db
        .selectFrom('applications')
        .selectAll()
        .where('id', '=', body.id as string)
        .executeTakeFirstOrThrow();
    },
    productionOf: ({ id }) => productionOf(api, id),
    readyUpload: (who = owner) => createUpload(api, { organisationId: who.organisationId, status: 'ready' }),
    async actionsOf(environmentId) {
      const { body } = await call('/api/environments/activity', { environmentId, limit: 100 });
      return (body as { action: string }[]).map(({ action }) => action).toReversed();
    },
    routeOf: (id) =>
      db.selectFrom('routes').select(['subdomain', 'target']).where('environment_id', '=', id).executeTakeFirst(),
    async [Symbol.asyncDispose]() {
      await api[Symbol.asyncDispose]();
      await host[Symbol.asyncDispose]();
    },
  };
}
