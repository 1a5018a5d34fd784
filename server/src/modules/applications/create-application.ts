import type { BodyOf } from '@lilac/contract/endpoint';
import type { Endpoints } from '@lilac/contract/endpoints';
import type { ApplicationRow } from '../../db/schema.ts';
import type { Caller, OrganisationAccess } from '../../http/handler.ts';
import { invalid } from '../../lib/fault.ts';
import { parseRepository } from '../../vcs/git/parse-repository.ts';
import type { Repository } from '../../vcs/git/repository.ts';
import { timeLimit } from '../../vcs/git/time-limit.ts';
import { assertProvider } from '../catalogue/assert-provider.ts';
import { clearName } from '../domains/clear-name.ts';
import { readHostname } from '../domains/hostname.ts';
import { assertContainerSize } from '../environments/container-size.ts';
import { assertRegion } from '../environments/region.ts';
import { fitScaling } from '../environments/scaling.ts';
import { assertVariables } from '../environments/variables.ts';
import type { ApplicationsDeps } from './applications-deps.ts';
import { assertBranchExists, assertBranchName } from './assert-branch.ts';
import { foundApplication, type NewApplication } from './found-application.ts';
import { readProjectSettings } from './project-settings.ts';
import { readPushSettings } from './push-settings.ts';
import { identityOf } from './repository-identity.ts';

type Body = BodyOf<Endpoints['applications.create']>;

/** How long git and the host may take together. */
const LOOK_MS = 20_000;

export interface ApplicationRequest<B> {
  organisation: OrganisationAccess;
  caller: Caller;
  body: B;
}

/** Nothing is written before the repository was reached and has the branch, and its host was asked which one it is. */
export async function createApplication(
  deps: ApplicationsDeps,
  request: ApplicationRequest<Body>,
): Promise<ApplicationRow> {
  const { vcsRepoUrl, gitProvider, vcsBranch, customDomain } = request.body;
  const organisationId = request.organisation.id;
  assertBranchName('vcsBranch', vcsBranch);
  const repository = parseRepository(deps.config, { url: vcsRepoUrl.trim(), provider: gitProvider });
  assertProvider(deps.config, repository.provider);
  const given = readApplication(repository, request);
  const hostname = customDomain === undefined ? null : readHostname(deps.config, 'customDomain', customDomain);
  const application = { ...given.application, ...(await lookAt(deps, repository, request)) };
  const domain = hostname === null ? null : await clearName(deps, { organisationId, hostname, subdomain: null });
  return deps.store.db.transaction().execute((tx) => foundApplication(tx, deps, { ...given, application, domain }));
}

/** What can only be known by asking git and the host. */
async function lookAt(
  { door, gitSources }: ApplicationsDeps,
  repository: Repository,
  { organisation, body }: ApplicationRequest<Body>,
) {
  const signal = timeLimit(repository, LOOK_MS);
  const opened = await door.open(organisation.id, repository, { isPrivate: body.isPrivate, signal });
  await assertBranchExists(gitSources, opened, body.vcsBranch, { signal });
  const found = await door.identify(organisation.id, repository);
  // What git was given without a credential it would give to anybody.
  const isPrivate = found?.isPrivate ?? opened.credential !== null;
  return { is_private: isPrivate, ...identityOf(repository.provider, { body, found }) };
}

function readApplication(
  repository: Repository,
  { organisation, caller, body }: ApplicationRequest<Body>,
): Omit<NewApplication, 'domain'> {
  const size = { memory: body.memory, cpu: body.cpu ?? null };
  assertContainerSize(size);
  if (body.region !== undefined) assertRegion(body.region);
  assertVariables(body.environmentVars ?? {});
  const push = readPushSettings(body);
  const scaling = fitScaling(organisation.plan, { min_instances: body.minInstances, max_instances: body.maxInstances });
  return {
    organisationId: organisation.id,
    folderId: body.projectId ?? null,
    application: {
      name: body.name.trim(),
      source_type: 'vcs',
      vcs_repo_url: body.vcsRepoUrl.trim(),
      vcs_branch: body.vcsBranch,
      ...readProvider(repository, body),
      ...readProjectSettings(body),
      ...size,
      container_port: body.containerPort ?? null,
      concurrency: body.concurrency,
      cpu_target: body.cpuTarget,
      region: body.region ?? null,
      ...push,
    },
    production: {
      ...scaling,
      vcs_branch: body.vcsBranch,
      auto_deploy: push.auto_deploy_on_push ?? false,
    },
    variables: body.environmentVars ?? {},
    uploadId: null,
    caller,
  };
}

const BRACED_UUID = /^\{[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\}$/i;

/** The URL says which host it is; ids of another host's repositories mean nothing. */
function readProvider({ provider, owner, name }: Repository, { provider2ProjectId, provider3RepoUuid }: Body) {
  if (provider2ProjectId !== undefined && provider !== 'provider2') {
    throw invalid('provider2ProjectId goes with a repository of provider2 only: leave it out.');
  }
  if (provider3RepoUuid !== undefined && provider !== 'provider3') {
    throw invalid('provider3RepoUuid goes with a repository of provider3 only: leave it out.');
  }
  if (provider3RepoUuid !== undefined && !BRACED_UUID.test(provider3RepoUuid)) {
    throw invalid('provider3RepoUuid must be a uuid in braces: {01234567-89ab-cdef-0123-456789abcdef}.');
  }
  return { git_provider: provider, repository_path: `${owner}/${name}`.toLowerCase() };
}
